-- An operator redrives and discards dead letters. What is pending is the relay's: it remembers which events wait behind which.
CREATE POLICY ops_change_dead_letters ON onceward.parked_events AS RESTRICTIVE FOR UPDATE TO onceward_ops
  USING (status = 'dead_letter') WITH CHECK (true);
