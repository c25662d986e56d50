package dev.onceward.api.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.problem.Problem;
import java.util.Map;

/** Writes problems as {@code application/problem+json} (RFC 9457). */
final class ProblemAnswers {
  private ProblemAnswers() {}

  static Answer of(Problem problem) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("type", problem.code().type());
    body.put("title", problem.code().title());
    body.put("status", problem.code().status());
    body.put("code", problem.code().name());
    body.put("detail", problem.detail());
    if (problem.field() != null) {
      body.put("field", problem.field());
    }
    Answer answer =
        Answer.json(problem.code().status(), body)
            .withHeader("Content-Type", "application/problem+json");
    for (Map.Entry<String, String> header : problem.headers().entrySet()) {
      answer = answer.withHeader(header.getKey(), header.getValue());
    }
    return answer;
  }
}
