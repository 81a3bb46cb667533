import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createApi } from "./conformance/api.ts";
import { expectCode } from "./conformance/expectations.ts";
import { startTarget } from "./embedded-server.ts";

describe("a restart", () => {
  const directory = mkdtempSync(join(tmpdir(), "capstan-restart-"));
  const storage = { file: join(directory, "api.db") };
  afterAll(() => rmSync(directory, { recursive: true }));

  it("needs no webhook to answer, and tells the new port", async () => {
    const first = await startTarget({ storage });
    const api = createApi(first.target);
    const rules = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }];
    const hook = {
      name: "dead.conf.capstan.test",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      clientConfig: { url: "https://127.0.0.1:1/" },
      rules,
    };
    const hooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    expectCode(await api.post(hooks, { metadata: { name: "dead" }, webhooks: [hook] }), 201);
    await api.close();
    await first.server.stop();

    const second = await startTarget({ storage });
    const again = createApi(second.target);
    const { body } = await again.get("/api/v1/namespaces/default/services/kubernetes");
    expect(body.spec.ports[0].targetPort).toBe(Number(new URL(second.target.url).port));
    expectCode(await again.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "refused" } }), 500);
    await again.close();
    await second.server.stop();
  });
});
