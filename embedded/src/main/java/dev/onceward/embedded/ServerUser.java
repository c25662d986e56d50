package dev.onceward.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * As whom PostgreSQL's programs run. They refuse to run as root; as root they are started inside a
 * user namespace (they see themselves as nobody, the kernel still sees root, so files keep their
 * owner), or where namespaces are forbidden, as the user postgres or nobody. Both ways replace the
 * process, so that its pid is the server's. Immutable.
 *
 * @param prefix what goes before the command
 * @param account the other user who must own the files; null if they stay ours
 */
record ServerUser(List<String> prefix, @Nullable String account) {

  static ServerUser detect() {
    if (!isRoot()) {
      return new ServerUser(List.of(), null);
    }
    if (OwnSession.findProgram("unshare") != null
        && ProgramResult.run(List.of("unshare", "-U", "true")).ok()) {
      return new ServerUser(List.of("unshare", "-U"), null);
    }
    if (OwnSession.findProgram("setpriv") != null) {
      for (String account : List.of("postgres", "nobody")) {
        ProgramResult group = ProgramResult.run(List.of("id", "-g", account));
        if (group.ok()) {
          return other(account, group.output());
        }
      }
    }
    throw new InfrastructureException(
        "PostgreSQL refuses to run as root, and neither 'unshare -U' nor 'setpriv' with a user postgres or nobody works here. Run as an ordinary user.");
  }

  static ServerUser other(String account, String groupId) {
    return new ServerUser(
        List.of("setpriv", "--reuid=" + account, "--regid=" + groupId, "--clear-groups"), account);
  }

  List<String> command(Path program, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(program.toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Gives the path and all below to the other user, if there is one. */
  void own(Path path) {
    if (account == null) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      UserPrincipal owner =
          path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(account);
      for (Path each : all.toList()) {
        Files.getFileAttributeView(
                each,
                java.nio.file.attribute.FileOwnerAttributeView.class,
                LinkOption.NOFOLLOW_LINKS)
            .setOwner(owner);
      }
    } catch (IOException e) {
      throw new InfrastructureException(
          "The directory %s cannot be given to the user %s.".formatted(path, account), e);
    }
  }

  private static boolean isRoot() {
    try {
      Path self = Path.of("/proc/self");
      if (Files.exists(self)) {
        return Integer.valueOf(0).equals(Files.getAttribute(self, "unix:uid"));
      }
    } catch (IOException | UnsupportedOperationException unknown) {
      // judged by name below
    }
    return "root".equals(System.getProperty("user.name"));
  }
}
