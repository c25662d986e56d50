-- Set before a relay's slot is made, and cleared once what the new slot will not bring is in Kafka: a relay that dies in
-- between must do that first again, or later events would overtake earlier ones of their aggregate.
ALTER TABLE onceward.relay_state ADD COLUMN slot_gap boolean NOT NULL DEFAULT false;
