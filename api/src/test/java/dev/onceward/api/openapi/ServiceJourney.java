package dev.onceward.api.openapi;

/** Calls health, metrics and the description. */
record ServiceJourney(DescribedClient client) {

  void drive() {
    client.call("getLiveness");
    client.call("getReadiness");
    client.call("getMetrics");
    client.call("getDescription");
    client.call("getDocumentation");
    client.call("getDocumentationAsset", "{asset}", "page.js");
  }
}
