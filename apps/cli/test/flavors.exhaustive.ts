import { describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { alarmsOf } from "./alarms.ts";
import { liveThrough, startOn, type CloudName } from "./published-life.ts";

const generate = async (...args: readonly string[]): Promise<string> => {
  let said = "";
  const program = createProgram({ write: (text) => void (said += text), writeError: (text) => void (said += text) });
  expect(await program.run(["generate", "cluster", "orchid", ...args]), said).toBe(0);
  return said;
};

interface Flavor {
  readonly cloud: CloudName;
  readonly bootstrap: string;
  readonly name: string;
}

const flavorsOf = async (cloud: CloudName): Promise<readonly Flavor[]> =>
  [...(await generate("-i", cloud, "--list-flavors")).matchAll(/^(\S+) \((\S+)\)/gm)].map(
    ([, name = "", bootstrap = ""]) => ({ cloud, name, bootstrap }),
  );

const versions: Readonly<Record<string, string>> = { k3s: "v1.35.4+k3s1", rke2: "v1.35.4+rke2r1" };

/** What differs where a variable has no value by itself. */
const variables: Readonly<Record<string, readonly string[]>> = {
  dns: ["--set", "DNS_ROOT_DOMAIN=capstan.test"],
  "dns-akamai": ["--set", "DNS_ROOT_DOMAIN=capstan.test"],
};

/** Of bare metal the flavor existing-hardware is the default without Hardware. */
const flavors = [
  ...(await flavorsOf("linode")),
  ...(await flavorsOf("azure")),
  ...(await flavorsOf("metal")).filter(({ name }) => name !== "existing-hardware"),
];

describe.each(flavors)("$cloud, $bootstrap, $name", ({ cloud, bootstrap, name }) => {
  it("runs as generated, is upgraded by one minor version, and is deleted", { timeout: 480_000 }, async () => {
    const version = versions[bootstrap] ?? "v1.35.4";
    const wanted = ["-i", cloud, "--bootstrap", bootstrap, "--flavor", name, "--kubernetes-version", version];
    const text = await generate(...wanted, ...(variables[name] ?? []));
    await using system = await startOn([cloud], text);
    await system.untilRunning();
    expect(await alarmsOf(system)).toEqual([]);
    await liveThrough(system, text);
    const { requests } = system.simulator as { readonly requests?: { readonly violations: readonly unknown[] } };
    expect(requests?.violations ?? []).toEqual([]);
  });
});
