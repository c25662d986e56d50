-- The texts of a store that are kept in the clear and shown are held to the guard against secrets, whoever writes them.
-- API and workers ask its Java twin before, which names the field. A store that holds a secret there from earlier stops
-- this migration: correct its row first.

ALTER TABLE onceward.stores
  ADD CONSTRAINT stores_external_id_without_secret CHECK (NOT onceward.text_has_secret(external_id)),
  ADD CONSTRAINT stores_name_without_secret CHECK (NOT onceward.text_has_secret(name)),
  ADD CONSTRAINT stores_account_name_without_secret CHECK (NOT onceward.text_has_secret(account_name));
