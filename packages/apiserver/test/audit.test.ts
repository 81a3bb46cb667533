import { execFileSync } from "node:child_process";
import {
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { fakeClock } from "@capstan/testing";
import { afterAll, describe, expect, it } from "vitest";
import { type AuditEvent, auditLogFile, type AuditPolicy, type AuditSink } from "../src/index.ts";
import { type Api, type CallOptions, createApi } from "./conformance/api.ts";
import { startHookServer } from "./conformance/hook-server.ts";
import { startTarget } from "./embedded-server.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs requests against a server and returns what was written about them. */
const audited = async (
  policy: AuditPolicy | undefined,
  use: (api: Api) => Promise<void>,
  setUp: (api: Api) => Promise<void> = async () => undefined,
): Promise<readonly AuditEvent[]> => {
  const events: AuditEvent[] = [];
  let isOpen = true;
  const sink: AuditSink = {
    write: (event) => void events.push(structuredClone(event)),
    close: async () => {
      isOpen = false;
    },
  };
  const { server, target } = await startTarget({ audit: { sink, ...(policy === undefined ? {} : { policy }) } });
  const api = createApi(target);
  await setUp(api);
  events.length = 0;
  await use(api);
  await api.close();
  await server.stop();
  expect(isOpen).toBe(false);
  return events;
};

const everything: AuditPolicy = { rules: [{ level: "RequestResponse" }] };
const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });

describe("the audit log", () => {
  it("says who did what, and why it was allowed or not", async () => {
    const events = await audited(undefined, async (api) => {
      await api.post(configMaps, configMap("one"), { headers: { "user-agent": "kubectl/v1", "audit-id": "my-id" } });
      await api.get(configMaps, { as: "alice" });
      await api.get(configMaps, { headers: { authorization: "Bearer wrong-secret" } });
      await api.get(`${configMaps}/nope`, { headers: { "impersonate-user": "bob", "impersonate-group": "x" } });
      await api.get("/readyz");
    });
    expect(events).toMatchObject([
      {
        kind: "Event",
        apiVersion: "audit.k8s.io/v1",
        level: "Metadata",
        auditID: "my-id",
        stage: "ResponseComplete",
        requestURI: configMaps,
        verb: "create",
        user: { username: "admin", groups: ["system:masters", "system:authenticated"] },
        sourceIPs: ["127.0.0.1"],
        userAgent: "kubectl/v1",
        objectRef: { resource: "configmaps", namespace: "default", name: "one", apiVersion: "v1" },
        responseStatus: { metadata: {}, code: 201 },
        annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
      },
      {
        verb: "list",
        user: { username: "alice" },
        responseStatus: { code: 403, status: "Failure", reason: "Forbidden" },
        annotations: { "authorization.k8s.io/decision": "forbid" },
      },
      { user: { username: "" }, responseStatus: { code: 401, reason: "Unauthorized" } },
      { user: { username: "admin" }, impersonatedUser: { username: "bob", groups: ["x", "system:authenticated"] } },
    ]);
    expect(events).toHaveLength(4);
    expect(events[0]?.requestReceivedTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const text = JSON.stringify(events);
    for (const secret of ["wrong-secret", "token-admin", "token-alice", "requestObject"]) {
      expect(text).not.toContain(secret);
    }
  });

  it("names the binding that allows a request", async () => {
    const events = await audited(undefined, async (api) => {
      await api.get("/apis", { as: "alice" });
    });
    expect(events[0]?.annotations?.["authorization.k8s.io/reason"]).toMatch(/^RBAC: allowed by ClusterRoleBinding/);
  });

  it("holds bodies where the policy wants them, never those of Secrets and tokens", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { a: "very-secret" } };
    const account = "/api/v1/namespaces/default/serviceaccounts";
    const events = await audited(
      { ...everything, omitStages: ["RequestReceived"], omitManagedFields: true },
      async (api) => {
        await api.post(configMaps, configMap("one"));
        await api.mergePatch(`${configMaps}/one`, { data: { a: "2" } });
        await api.get(configMaps);
        await api.delete(`${configMaps}/one`);
        await api.post("/api/v1/namespaces/default/secrets", secret);
        await api.get("/api/v1/secrets");
        await api.post(account, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
        await api.post(`${account}/robot/token`, {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: {},
        });
      },
    );
    expect(events).toMatchObject([
      { requestObject: { data: { a: "1" } }, responseObject: { data: { a: "1" }, metadata: { name: "one" } } },
      { verb: "patch", requestObject: { data: { a: "2" } }, responseObject: { data: { a: "2" } } },
      { verb: "list", responseObject: { kind: "ConfigMapList" } },
      { verb: "delete", responseObject: { status: "Success" } },
      { level: "Metadata", objectRef: { resource: "secrets", name: "s" } },
      { level: "Metadata", verb: "list" },
      { level: "RequestResponse" },
      { level: "Metadata", objectRef: { resource: "serviceaccounts", subresource: "token" } },
    ]);
    const text = JSON.stringify(events);
    for (const hidden of ["very-secret", Buffer.from("very-secret").toString("base64"), "managedFields", "eyJ"]) {
      expect(text).not.toContain(hidden);
    }
  });

  it.each([undefined, everything])("repeats nothing of a Secret that is refused, policy %#", async (policy) => {
    const canary = "k4n4ry-hunter2!";
    const secrets = "/api/v1/namespaces/default/secrets";
    const one = `${secrets}/one`;
    const odd = (more: object) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "one" }, ...more });
    const wrong = [
      odd({ data: { a: canary } }),
      odd({ data: { a: { b: canary } } }),
      odd({ data: [canary] }),
      odd({ data: canary }),
      odd({ stringData: { [`no key ${canary}`]: "x" } }),
      odd({ data: { a: "YQ==" }, type: canary, immutable: canary }),
      { ...odd({}), kind: canary },
      { ...odd({}), apiVersion: canary },
    ];
    const broken = [`{"data": {"a": ${canary}}}`, `data: {a: "${canary}\n\tb: [`, `{"data": {"a": "${canary}`];
    const types = ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"];
    const answers: (readonly [string, number])[] = [];
    const events = await audited(
      policy,
      async (api) => {
        const send = async (method: string, path: string, options: CallOptions): Promise<void> => {
          const { code } = await api.call(method, path, options);
          answers.push([`${method} ${String(options.type)} ${JSON.stringify(options.body)}`, code]);
        };
        for (const dryRun of ["", "All"]) {
          const query = { dryRun, fieldManager: "m" };
          for (const body of [...wrong, ...broken]) {
            await send("POST", secrets, { body, query });
            await send("POST", secrets, { body, query, type: "application/yaml" });
            await send("PUT", one, { body, query });
            for (const type of types) {
              await send("PATCH", one, { body, query, type: `application/${type}` });
            }
          }
          for (const operation of [
            { op: "test", path: "/data/a", value: canary },
            { op: "add", path: "/data/a", value: canary },
            { op: "replace", path: `/data/${canary}`, value: "x" },
            { op: canary, path: "/data/a" },
          ]) {
            await send("PATCH", one, { body: [operation], query, type: "application/json-patch+json" });
          }
          await send("PATCH", `${secrets}/none`, {
            body: odd({ data: { a: canary } }),
            query,
            type: `application/${types[3]}`,
          });
        }
      },
      async (api) => void (await api.post(secrets, odd({ stringData: { a: "x" } }))),
    );
    expect(answers.filter(([, code]) => code < 400)).toEqual([]);
    expect(events.filter(({ stage }) => stage === "ResponseComplete")).toHaveLength(answers.length);
    expect(events.filter((event) => JSON.stringify(event).includes(canary))).toEqual([]);
    // What a patch makes of an object and cannot be decoded is answered without a reason.
    expect(events.at(-1)?.responseStatus).toMatchObject({ status: "Failure", code: expect.any(Number) as number });
  });

  it("follows a watch from its beginning to its end", async () => {
    const events = await audited({ rules: [{ level: "Metadata", verbs: ["watch"] }] }, async (api) => {
      const watch = await api.watch(configMaps, { query: { timeoutSeconds: 1 } });
      await watch.rest();
    });
    expect(events.map(({ stage, responseStatus }) => [stage, responseStatus?.code])).toEqual([
      ["RequestReceived", undefined],
      ["ResponseStarted", 200],
      ["ResponseComplete", 200],
    ]);
    expect(new Set(events.map(({ auditID }) => auditID)).size).toBe(1);
  });

  it("carries the annotations of policies and webhooks", async () => {
    const hooks = await startHookServer();
    hooks.reset({ "/hook": () => ({ response: { allowed: true, auditAnnotations: { why: "it may", odd: 1 } } }) });
    const group = "/apis/admissionregistration.k8s.io/v1";
    const apiVersion = "admissionregistration.k8s.io/v1";
    const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
    const events = await audited(
      undefined,
      async (api) => {
        await api.post(configMaps, configMap("one"));
      },
      async (api) => {
        await api.post(`${group}/validatingwebhookconfigurations`, {
          apiVersion,
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: "w" },
          webhooks: [
            {
              name: "a.b.c",
              clientConfig: { url: `${hooks.url}/hook`, caBundle: hooks.caBundle },
              rules,
              sideEffects: "None",
              admissionReviewVersions: ["v1"],
            },
          ],
        });
        await api.post(`${group}/validatingadmissionpolicies`, {
          apiVersion,
          kind: "ValidatingAdmissionPolicy",
          metadata: { name: "p.test" },
          spec: {
            matchConstraints: { resourceRules: rules },
            variables: [{ name: "n", expression: "object.metadata.name" }],
            validations: [{ expression: "true" }, { expression: "variables.n == 'two'", message: "must be two" }],
            auditAnnotations: [
              { key: "name", valueExpression: "'it is ' + variables.n" },
              { key: "none", valueExpression: "null" },
            ],
          },
        });
        await api.post(`${group}/validatingadmissionpolicybindings`, {
          apiVersion,
          kind: "ValidatingAdmissionPolicyBinding",
          metadata: { name: "b.test" },
          spec: { policyName: "p.test", validationActions: ["Audit"] },
        });
      },
    );
    await hooks.close();
    const { annotations = {}, responseStatus } = events[0]!;
    expect(responseStatus?.code).toBe(201);
    expect(annotations).toMatchObject({ "a.b.c/why": "it may", "p.test/name": "it is one" });
    expect(annotations).not.toHaveProperty(["p.test/none"]);
    expect(JSON.parse(annotations["validation.policy.admission.k8s.io/validation_failure"] ?? "")).toEqual([
      { message: "must be two", policy: "p.test", binding: "b.test", expressionIndex: 1, validationActions: ["Audit"] },
    ]);
  });
});

describe("an audit log file", () => {
  const event = (text: string): AuditEvent => ({ requestURI: text }) as AuditEvent;
  const read = (path: string): readonly string[] =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as AuditEvent).requestURI);

  it("is appended to, for its owner alone, and complete once closed", async () => {
    const path = join(folder, "append.log");
    for (const name of ["a", "b"]) {
      const sink = auditLogFile({ path, clock: fakeClock(), log: silentLogger });
      for (let index = 0; index < 1000; index++) void sink.write(event(`${name}${index}`));
      await sink.close();
    }
    expect(read(path)).toHaveLength(2000);
    expect(read(path).at(-1)).toBe("b999");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("takes integers past those of numbers", async () => {
    const path = join(folder, "large.log");
    const sink = auditLogFile({ path, clock: fakeClock(), log: silentLogger });
    void sink.write({ ...event("large"), requestObject: { spec: { size: 2n ** 60n } } });
    await sink.close();
    expect(readFileSync(path, "utf8")).toContain(`"size":1152921504606846976`);
  });

  it("is begun anew when it is full; old ones go by number and age", async () => {
    const path = join(folder, "rotated", "audit.log");
    mkdirSync(join(folder, "rotated"));
    writeFileSync(join(folder, "rotated", "audit-2026-01-01T00-00-00.000.log"), "");
    writeFileSync(join(folder, "rotated", "audit-notes.log"), "");
    const clock = fakeClock({ now: Date.parse("2026-01-20T00:00:00Z") });
    const options = { path, maxSizeMiB: 1, maxBackups: 2, maxAgeDays: 10, clock, log: silentLogger };
    const sink = auditLogFile(options);
    for (let index = 0; index < 9; index++) void sink.write(event(String(index).repeat(400_000)));
    await sink.close();
    const names = readdirSync(join(folder, "rotated")).toSorted((a, b) => (a < b ? -1 : 1));
    expect(names).toEqual([
      "audit-2026-01-20T00-00-00.002.log",
      "audit-2026-01-20T00-00-00.003.log",
      "audit-notes.log",
      "audit.log",
    ]);
    const kept = names
      .filter((name) => name !== "audit-notes.log")
      .flatMap((name) => read(join(folder, "rotated", name)));
    expect(kept.map((text) => text[0])).toEqual(["4", "5", "6", "7", "8"]);
    await clock.advance(11 * 86_400_000);
    const later = auditLogFile(options);
    void later.write(event("x".repeat(900_000)));
    await later.close();
    expect(readdirSync(join(folder, "rotated"))).toHaveLength(3);
  });

  it("counts what is lost when the disk is away, and goes on when it is back", async () => {
    const logged: unknown[] = [];
    const log = { ...silentLogger, error: (...words: unknown[]) => void logged.push(words) };
    const path = join(folder, "away", "audit.log");
    mkdirSync(join(folder, "away"));
    const sink = auditLogFile({ path, clock: fakeClock(), log });
    rmSync(join(folder, "away"), { recursive: true });
    void sink.write(event("lost"));
    await sink.close();
    expect(logged).toContainEqual(["audit events were lost", { path, events: 1 }]);
    mkdirSync(join(folder, "away"));
    void sink.write(event("kept"));
    await sink.close();
    expect(read(path)).toEqual(["kept"]);
  });

  it("takes no more memory than it may, however slow the disk is", async () => {
    const path = join(folder, "slow.log");
    execFileSync("mkfifo", [path]);
    // A pipe that no one empties stands for a disk that takes nothing.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const logged: unknown[] = [];
    const log = { ...silentLogger, error: (...words: unknown[]) => void logged.push(words) };
    const sink = auditLogFile({ path, clock: fakeClock(), log });
    const text = "x".repeat(1024 * 1024);
    const turns = 8;
    const perTurn = 10;
    for (let turn = 0; turn < turns; turn++) {
      for (let index = 0; index < perTurn; index++) void sink.write(event(text));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const closed = sink.close();
    const pipe = new Socket({ fd: reader, readable: true, writable: false });
    pipe.on("data", () => {
      if (logged.length > 0) {
        rmSync(path, { force: true });
        pipe.destroy();
      }
    });
    await closed;
    // Of 32 MiB, 31 events of 1 MiB and their envelopes.
    expect(logged[0]).toEqual(["audit events were lost", { path, events: turns * perTurn - 31 }]);
  });

  it("must be writable", () => {
    expect(() =>
      auditLogFile({ path: join(folder, "no", "audit.log"), clock: fakeClock(), log: silentLogger }),
    ).toThrow(/The audit log .*no\/audit\.log cannot be written: ENOENT/);
  });
});
