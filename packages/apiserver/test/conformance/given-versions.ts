import { expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps } from "./objects.ts";
import type { Section } from "./suite.ts";

/** Objects that come with a resourceVersion. */
export const givenVersions: Section = (suite) => {
  it("B03b says first what is wrong with the object, and takes what is no resourceVersion for none", async () => {
    const { api, namespace } = suite();
    const wrong = await api.post(configMaps(namespace), configMap({ name: "B03b", resourceVersion: "5" }));
    expectStatus(wrong, 422, { reason: "Invalid" });
    for (const [name, resourceVersion] of Object.entries({ b03c: "abc", b03d: "0", b03e: "99999999999999999999" })) {
      const answer = await api.post(configMaps(namespace), configMap({ name, resourceVersion }));
      expectCode(answer, 201);
      expect(answer.body.metadata?.resourceVersion).toMatch(/^[1-9]\d*$/);
      expect(answer.body.metadata?.resourceVersion).not.toBe(resourceVersion);
    }
    const dry = configMap({ name: "b03f", resourceVersion: "5" });
    expectCode(await api.post(configMaps(namespace), dry, { query: { dryRun: "All" } }), 201);
  });

  it("B03g refuses to replace at a version that is no number", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("b03g"));
    const changed = configMap({ name: "b03g", resourceVersion: "abc" });
    expectStatus(await api.put(`${configMaps(namespace)}/b03g`, changed), 500);
  });
};
