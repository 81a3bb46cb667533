import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { crdOf } from "@capstan/schema";
import { CustomResourceDefinitionResource, NamespaceResource } from "@capstan/contract/wire";
import { Cluster } from "@capstan/core/api";
import { expect, it } from "vitest";
import { openDataFolder } from "../src/embedded-up.ts";
import { writeWorkloadKubeconfigs } from "../src/up/workload-kubeconfigs.ts";
import { startTestApiserver } from "./test-apiserver.ts";

const good = (server: string): string => renderKubeconfig({ server, clusterName: "c", userName: "u", token: "t" });
const withUser = (user: string): string =>
  `apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nusers: [{name: u, user: ${user}}]\n`;

/** By namespace and name, what someone may write there, or a server for a kubeconfig that can be used. */
const secrets: Readonly<Record<string, string>> = {
  "default/orchid": good("https://127.0.0.1:1"),
  "default/team-a.x": good("https://127.0.0.1:2"),
  "team-a/x": good("https://127.0.0.1:3"),
  "team-a/runs": withUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: sh}}"),
  "team-a/file": withUser("{tokenFile: /etc/passwd}"),
  "team-a/text": "{{{",
  "team-a/empty": "",
  "team-a/deep": "[".repeat(100_000),
  "team-a/nowhere": good("not an address"),
  [`team-a/${"n".repeat(63)}`]: `${good("https://127.0.0.1:4")}users: []\n`,
};

it("leaves out kubeconfigs that cannot be used, with a warning, and gives each its own file", async () => {
  const root = mkdtempSync(join(tmpdir(), "capstan-kubeconfigs-"));
  const server = await startTestApiserver(["--in-memory", "--secure-port", "0"]);
  const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  const connection = connect({ access, clock: systemClock });
  try {
    const client = createClient(connection);
    await client.create(CustomResourceDefinitionResource, crdOf(Cluster));
    await client.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a" } });
    for (const [path, text] of Object.entries(secrets)) {
      const [namespace = "", name = ""] = path.split("/");
      const base = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: `${name}-kubeconfig` } };
      await client.create(SecretResource, { ...base, data: { value: toBase64(text) } });
      const metadata = { namespace, name };
      const spec = { paused: false };
      await client.create(ClusterResource, { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata, spec });
    }
    const said: string[] = [];
    const view = {
      say: ({ text }: { text: string }) => void said.push(text),
      rows: () => undefined,
      close: () => undefined,
    };
    const written = await writeWorkloadKubeconfigs(client, {
      data: openDataFolder(root, { temporary: false }),
      proxyFor: (url) => (new URL(url).port === "1" ? "http://127.0.0.1:9" : undefined),
      view,
      signal: AbortSignal.timeout(60_000),
    });
    const servers = Object.fromEntries(
      written.map(({ path, ...of }) => [`${of.namespace}/${of.name}`, parseKubeconfig(readFileSync(path, "utf8"))]),
    );
    expect(servers).toMatchObject({
      "default/orchid": { server: "https://127.0.0.1:1", proxyUrl: "http://127.0.0.1:9" },
      "default/team-a.x": { server: "https://127.0.0.1:2" },
      "team-a/x": { server: "https://127.0.0.1:3" },
    });
    expect(Object.keys(servers)).toHaveLength(3);
    expect(said).toHaveLength(Object.keys(secrets).length - 3);
    for (const name of ["runs", "file", "text", "empty", "deep", "nowhere"]) {
      expect(said).toContainEqual(expect.stringContaining(`Secret team-a/${name}-kubeconfig is not usable: `));
    }
  } finally {
    await connection.close();
    await server.stop();
    rmSync(root, { recursive: true });
  }
});
