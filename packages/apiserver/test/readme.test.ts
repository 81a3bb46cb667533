import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  admissionPolicies,
  admissionWebhooks,
  apiServiceRegistration,
  auditLogFile,
  controllers,
  customResources,
  readAuditPolicy,
} from "@capstan/apiserver";
import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** Asks without credentials. */
const anonymously = (url: string, ca: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      response.resume();
      response.once("end", resolve);
    }).on("error", reject);
  });

/** What the README shows, executed. */
describe("the README", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "apiserver-readme-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("starts a server in a file, with a kubeconfig for kubectl", async () => {
    const file = join(folder, "api.db");
    const kubeconfig = join(folder, "kubeconfig");
    const server = createApiServer({ clock: systemClock, random: cryptoRandom, storage: { file } });
    await server.start();
    await writeFile(kubeconfig, await server.adminKubeconfig(), { mode: 0o600 });
    // kubectl --kubeconfig kubeconfig get namespaces
    await server.stop();
    expect(await readFile(kubeconfig, "utf8")).toContain("https://127.0.0.1:");
    expect((await stat(`${file}.identity.json`)).mode & 0o777).toBe(0o600);
  });

  it("says where Services of webhooks are", async () => {
    const extensions = [
      customResources(),
      admissionPolicies(),
      admissionWebhooks({
        resolveService: ({ name }) => (name === "webhook-service" ? "https://127.0.0.1:9443" : undefined),
      }),
      apiServiceRegistration(),
      ...controllers(),
    ];
    const server = createApiServer({ clock: systemClock, random: cryptoRandom, extensions });
    await server.start();
    await server.stop();
  });

  it("writes an audit log", async () => {
    const path = join(folder, "audit.log");
    const log = silentLogger;
    const document: unknown = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] };
    const sink = auditLogFile({ path, maxSizeMiB: 100, maxBackups: 5, clock: systemClock, log });
    const server = createApiServer({
      clock: systemClock,
      random: cryptoRandom,
      audit: { sink, policy: readAuditPolicy(document) },
    });
    await server.start();
    await anonymously(`${server.url}/api`, server.caCertificate);
    await server.stop();
    const events = (await readFile(path, "utf8")).trim().split("\n");
    expect(events.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ apiVersion: "audit.k8s.io/v1", stage: "ResponseComplete", requestURI: "/api" }),
    );
  });
});
