package dev.onceward.ops.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.idempotency.IdempotencyStore;
import dev.onceward.db.idempotency.RequestScope;
import dev.onceward.db.idempotency.StoredAnswer;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.Needed;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.ops.DeadLetterRows;
import dev.onceward.ops.SentEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** The console as an operator uses it, in a real browser. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleBrowserTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String KEY = "order-4711";
  private static final String REQUEST_ID = "request-4711-of-the-browser";
  private static final String HOSTILE = "<script>document.title='run'</script>";

  /** Brought by npm where the descriptions are linted. */
  private static final Path AXE = Path.of("../.ci/node_modules/axe-core/axe.min.js");

  private static final List<String> PAGES =
      List.of(
          "/",
          "/events",
          "/life?id=" + KEY,
          "/dead-letters",
          "/dead-letters/list",
          "/replays",
          "/doctor",
          "/actions");

  private SentEvents world;
  private Tenant tenant;
  private DeadLetterRows rows;
  private NewTask asked;
  private RunningConsole console;
  private ChromeDriver browser;

  @BeforeAll
  void prepare(
      PostgresServer server, TestTopics topics, @TempDir Path directory, @TempDir Path profile)
      throws Exception {
    browser = Chromium.start(profile);
    world = new SentEvents(server, topics, directory);
    tenant = world.database().newTenant();
    rows = new DeadLetterRows(world.database());
    world.write(tenant, "order", 400);
    asked =
        NewTask.of(
            "sync_products",
            NewEvent.of("thing.made", "thing", "t1", "{\"note\":\"" + HOSTILE + "\"}")
                .withTrace(REQUEST_ID, null, null));
    world
        .database()
        .app()
        .runInWorkspace(
            tenant.workspaceId(),
            connection -> {
              TaskWriter.append(connection, asked);
              IdempotencyStore.storeCompleted(
                  connection,
                  new RequestScope(
                      tenant.workspaceId(), tenant.userId(), "POST", "/v1/stores", KEY),
                  new byte[32],
                  "k1",
                  new StoredAnswer(202, "{}", "{}"),
                  Duration.ofDays(2));
            });
    for (int i = 0; i < 3; i++) {
      rows.operation(tenant, "b" + i, "failed", "PLATFORM_REFUSED", "shop \"" + i + "\" is closed");
    }
    world.audit();
    console = RunningConsole.over(world);
    browser.get(console.address() + "/dead-letters");
    browser.findElement(By.id("user")).sendKeys(Visitor.OPERATOR);
    browser.findElement(By.id("password")).sendKeys(MigratedDatabase.PASSWORD + Keys.ENTER);
    awaitHeading("Dead letters");
  }

  @AfterAll
  void drop() throws Exception {
    if (browser != null) {
      browser.quit();
    }
    if (console != null) {
      console.close();
    }
    if (world != null) {
      world.close();
    }
  }

  @AfterEach
  void the_policy_was_never_broken() {
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
        .extracting(LogEntry::getMessage)
        .filteredOn(message -> !message.contains("status of 4"))
        .isEmpty();
  }

  @Test
  void an_event_is_found_by_every_id_that_somebody_may_have() {
    for (String id :
        List.of(asked.event().id().toString(), asked.operationId().toString(), KEY, REQUEST_ID)) {
      open("/");
      browser.findElement(By.id("find")).sendKeys(id + Keys.ENTER);
      awaitHeading("Life of " + id);
      assertThat(main().getText())
          .contains(asked.operationId().toString(), asked.event().id().toString(), KEY);
    }
    browser.findElement(By.id("with-payload")).click();
    await(() -> assertThat(browser.findElements(By.className("payload"))).isNotEmpty());
    assertThat(browser.findElement(By.className("payload")).getText()).contains(HOSTILE);
    assertThat(browser.getTitle()).startsWith("Life of");
  }

  @Test
  void a_group_of_dead_letters_is_redriven() throws Exception {
    open("/dead-letters");
    WebElement group = browser.findElement(By.className("group"));
    assertThat(group.getText()).contains("PLATFORM_REFUSED 3", "shop <value> is closed");
    group.findElement(By.cssSelector("button[value=redrive]")).click();
    awaitHeading("Redrive 3 dead letters?");
    String dead = "SELECT count(*) FROM onceward.operations WHERE state = 'failed'";
    assertThat(rows.text(dead)).isEqualTo("3");

    browser.findElement(By.id("confirm")).click();

    await(
        () ->
            assertThat(browser.findElement(By.id("done")).getText())
                .isEqualTo("Were redriven: operation 3."));
    assertThat(rows.text(dead)).isEqualTo("0");
    open("/dead-letters");
    assertThat(main().getText()).contains("There are no dead letters.");
  }

  @Test
  void a_replay_is_planned_started_and_watched_to_its_end() throws Exception {
    long before = world.endTotal(world.topic("order"));
    open("/replays");
    browser.findElement(By.id("type")).sendKeys("order.placed");
    WebElement rate = browser.findElement(By.id("rate"));
    rate.clear();
    rate.sendKeys("150");
    browser.findElement(By.id("dry-run")).click();
    awaitHeading("Replay 400 events?");
    assertThat(world.endTotal(world.topic("order"))).isEqualTo(before);

    browser.findElement(By.id("confirm")).click();

    Set<String> seen = new LinkedHashSet<>();
    await(
        () -> {
          String sent = browser.findElement(By.id("sent")).getText();
          seen.add(sent);
          assertThat(sent).isEqualTo("400 of 400 sent");
          assertThat(browser.findElement(By.id("progress")).getText()).contains("completed");
        });
    assertThat(seen).as("the page renews itself").hasSizeGreaterThan(2);
    assertThat(world.endTotal(world.topic("order")) - before).isEqualTo(400);
  }

  @Test
  void the_overview_lives_and_draws() {
    open("/");
    await(
        () -> {
          assertThat(browser.findElements(By.cssSelector("#throughput canvas"))).hasSize(1);
          assertThat(browser.findElement(By.cssSelector("#live .part .value")).getText())
              .endsWith("/s");
        });
    String first = browser.findElement(By.cssSelector("#live .verdict .muted")).getText();
    await(
        () ->
            assertThat(browser.findElement(By.cssSelector("#live .verdict .muted")).getText())
                .isNotEqualTo(first));
  }

  @Test
  void everything_is_reached_by_the_keyboard_and_the_focus_is_seen() {
    open("/dead-letters");
    Set<String> reached = new LinkedHashSet<>();
    for (int i = 0; i < 40; i++) {
      WebElement focused = browser.switchTo().activeElement();
      focused.sendKeys(Keys.TAB);
      WebElement next = browser.switchTo().activeElement();
      reached.add(next.getText().isEmpty() ? next.getDomAttribute("name") : next.getText());
      assertThat(next.getTagName().equals("body") ? "3px" : next.getCssValue("outline-width"))
          .as("the focus on %s", next.getText())
          .isEqualTo("3px");
    }
    assertThat(reached)
        .contains("Skip to the content", "Overview", "Replays", "Actions", "id", "Filter");
  }

  @Test
  void a_lost_session_leads_to_the_sign_in_and_back() {
    open("/");
    await(() -> assertThat(browser.findElements(By.cssSelector("#throughput canvas"))).hasSize(1));
    String cookie = sessionCookie();
    browser.manage().deleteCookieNamed("onceward_session");

    awaitHeading("Sign in");

    browser.findElement(By.id("user")).sendKeys(Visitor.OPERATOR);
    browser.findElement(By.id("password")).sendKeys(MigratedDatabase.PASSWORD + Keys.ENTER);
    awaitHeading("Overview");
    assertThat(sessionCookie()).isNotEqualTo(cookie);
  }

  @Test
  void pages_fit_a_telephone() {
    for (String page : PAGES) {
      browser.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", 360, "height", 740, "deviceScaleFactor", 1, "mobile", true));
      open(page);
      assertThat(browser.executeScript("return document.documentElement.scrollWidth"))
          .as(page)
          .isEqualTo(360L);
      browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }
  }

  @Test
  void pages_pass_the_accessibility_rules_in_light_and_dark() throws Exception {
    Needed.require(Files.exists(AXE), "npm install --prefix .ci --no-package-lock brings axe-core");
    String axe = Files.readString(AXE);
    browser.manage().window().setSize(new Dimension(1280, 900));
    for (String page : PAGES) {
      open(page);
      browser.executeScript(axe);
      for (String scheme : List.of("light", "dark")) {
        browser.executeCdpCommand(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(
                    // Or colours would be judged on their way from one scheme to the other.
                    Map.of("name", "prefers-reduced-motion", "value", "reduce"),
                    Map.of("name", "prefers-color-scheme", "value", scheme))));
        assertThat(
                (List<?>)
                    browser.executeAsyncScript(
                        """
                        const done = arguments[arguments.length - 1];
                        axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })
                          .then(found => done(found.violations.map(
                            one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))))
                          .catch(failure => done([String(failure)]));
                        """))
            .as("%s, %s", page, scheme)
            .isEmpty();
      }
    }
  }

  private void open(String page) {
    browser.get(console.address() + page);
  }

  private String sessionCookie() {
    return Objects.requireNonNull(browser.manage().getCookieNamed("onceward_session")).getValue();
  }

  private WebElement main() {
    return browser.findElement(By.id("main"));
  }

  private void awaitHeading(String text) {
    await(() -> assertThat(browser.findElement(By.tagName("h1")).getText()).isEqualTo(text));
  }

  private static void await(org.awaitility.core.ThrowingRunnable expectation) {
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(150))
        .ignoreExceptionsInstanceOf(org.openqa.selenium.WebDriverException.class)
        .untilAsserted(expectation);
  }
}
