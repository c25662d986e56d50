package dev.onceward.relay.capture;

class DirectChangeSourceTest extends ChangeSourceContract {
  DirectChangeSourceTest() {
    super(CaptureKind.DIRECT);
  }
}
