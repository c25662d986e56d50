package dev.onceward.relay.capture;

class DebeziumChangeSourceTest extends ChangeSourceContract {
  DebeziumChangeSourceTest() {
    super(CaptureKind.DEBEZIUM);
  }
}
