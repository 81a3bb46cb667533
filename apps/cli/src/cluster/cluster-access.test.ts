import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadKubeconfig } from "@capstan/kube";
import { afterAll, describe, expect, it } from "vitest";
import { clusterAccess, podKubeconfig } from "./cluster-access.ts";

it.each([
  [{ KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" }, "https://10.0.0.1:6443"],
  [{ KUBERNETES_SERVICE_HOST: "fd00::1" }, "https://[fd00::1]:443"],
])("a Pod with %o is served at %s", async (environment, url) => {
  expect((await loadKubeconfig({ text: podKubeconfig(environment) })).url).toBe(url);
});

describe("the proxy on the way to the cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-access-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const variables = { HTTPS_PROXY: "http://proxy.test:3128", NO_PROXY: ".inside.test" };

  it.each([
    ["https://api.test:6443", undefined, "http://proxy.test:3128/"],
    ["https://api.inside.test:6443", undefined, undefined],
    ["https://127.0.0.1:6443", undefined, undefined],
    ["https://api.test:6443", "http://other.test:8080", "http://other.test:8080"],
    ["https://api.inside.test:6443", "http://other.test:8080", "http://other.test:8080"],
  ])("to %s, with %s in the kubeconfig, is %s", async (server, given, proxyUrl) => {
    const file = join(folder, "kubeconfig");
    const cluster = { server, ...(given !== undefined && { "proxy-url": given }) };
    const config = {
      "current-context": "c",
      clusters: [{ name: "c", cluster }],
      users: [{ name: "c", user: { token: "t" } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "c" } }],
    };
    writeFileSync(file, JSON.stringify(config));
    const access = await clusterAccess({ kubeconfig: file, context: undefined }, variables);
    expect(access.proxyUrl).toBe(proxyUrl);
  });
});
