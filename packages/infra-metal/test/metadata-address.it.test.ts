import { silentLogger } from "@capstan/contract";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { Template } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createProvider } from "../src/index.ts";
import { RackScene } from "./rack-scene.ts";
import { kinds } from "./subject.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
});
afterAll(() => environment.stop());

/** The Template of a machine, by the provider as the command loads it. */
const templateWith = async (variables: Readonly<Record<string, string>>): Promise<string> => {
  const { clock, random } = environment;
  const variable = (name: string): string | undefined => variables[name];
  const provider = createProvider({ clock, random, log: silentLogger, variable, simulated: () => undefined });
  const running = await environment.runManager({ providers: [provider] });
  const scene = await RackScene.start(environment);
  await scene.hardware("a");
  await scene.machine("m");
  const key = { namespace: scene.rack, name: "m" };
  const template = await environment.eventually(Template, key, (object) => object !== undefined);
  await running.stop();
  return template?.spec?.data ?? "";
};

it.each([
  [{ TINKERBELL_ADDRESS: "10.0.0.5" }, "http://10.0.0.5:7080"],
  [{ TINKERBELL_ADDRESS: "2001:db8::5" }, "http://[2001:db8::5]:7080"],
  [{ TINKERBELL_ADDRESS: "10.0.0.5", TINKERBELL_METADATA_URL: "http://meta.example" }, "http://meta.example"],
])("with %j, installed systems find their metadata at %s", async (variables, url) => {
  const [, found] = /metadata_urls:\s+- (\S+)/.exec(await templateWith(variables)) ?? [];
  expect(found).toBe(url);
});
