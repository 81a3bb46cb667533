import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import type { ExtensionFactory } from "../src/registry/extension.ts";
import { createApi } from "./conformance/api.ts";
import { expectCode, expectStatus } from "./conformance/expectations.ts";
import { configMap, configMaps } from "./conformance/objects.ts";
import { startTarget } from "./embedded-server.ts";

it("answers in the time that a request allows, also while admission has not", async () => {
  const clock = fakeClock();
  const asked = Promise.withResolvers<void>();
  const silent: ExtensionFactory = () => {
    const validate = (): Promise<void> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    return { name: "silent", admission: [{ name: "silent", validate }] };
  };
  const { server, target } = await startTarget({ clock, extensions: [silent] });
  const api = createApi(target);
  const answer = api.post(configMaps("default"), configMap("late"), { query: { timeout: "1m30s" } });
  await asked.promise;
  await clock.advance(90_000);
  expectStatus(await answer, 504, { reason: "Timeout" });
  expectCode(await api.get(configMaps("default"), { query: { timeout: "1s" } }), 200);
  expect(clock.pending).toBe(0);
  await api.close();
  await server.stop();
});
