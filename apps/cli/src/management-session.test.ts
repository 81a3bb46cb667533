import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withManagement } from "./management-session.ts";

it("says that no command runs with the folder whose management API is meant, and of a kubeconfig that nobody answers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-session-"));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    // No one listens at port 1.
    const cluster = { name: "c", cluster: { server: "https://127.0.0.1:1", "insecure-skip-tls-verify": true } };
    const context = { name: "c", context: { cluster: "c", user: "u" } };
    const users = [{ name: "u", user: { token: "t" } }];
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [cluster],
        contexts: [context],
        users,
        "current-context": "c",
      }),
    );
    const none = { namespace: undefined, kubeconfig: undefined, context: undefined, dataDir: undefined };
    const ask = (request: object) =>
      withManagement({ ...none, ...request }, async ({ client, signal }) => {
        await client.request({ method: "GET", path: "/version", signal });
        return 0;
      });
    await expect(ask({ dataDir: folder })).rejects.toMatchObject({
      code: "command.not_running",
      message: `no capstan up is running with the data folder ${folder}: start it, or name a management API with --data-dir or --kubeconfig`,
    });
    await expect(ask({ kubeconfig })).rejects.toMatchObject({ code: "kube.unavailable" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
