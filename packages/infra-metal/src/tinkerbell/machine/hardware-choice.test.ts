import type { Hardware } from "@capstan/tinkerbell/api";
import { describe, expect, it } from "vitest";
import { byWorth, lackOf, mayHave } from "./hardware-choice.ts";

const hardware = (name: string, labels: Readonly<Record<string, string>> = {}, spec: object = {}): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name, namespace: "rack", labels },
  spec,
});

const term = (matchLabels: Readonly<Record<string, string>>) => ({ labelSelector: { matchLabels } });

describe("mayHave", () => {
  it("takes any where nothing is required", () => {
    expect(mayHave({}, hardware("a"))).toBe(true);
    expect(mayHave({ hardwareAffinity: { required: [] } }, hardware("a"))).toBe(true);
  });

  it("takes what any of the required terms selects", () => {
    const spec = { hardwareAffinity: { required: [term({ type: "cp" }), term({ type: "worker", rack: "1" })] } };
    expect(mayHave(spec, hardware("a", { type: "cp" }))).toBe(true);
    expect(mayHave(spec, hardware("b", { type: "worker", rack: "1" }))).toBe(true);
    expect(mayHave(spec, hardware("c", { type: "worker", rack: "2" }))).toBe(false);
  });

  it("takes only the one that is named", () => {
    expect(mayHave({ hardwareName: "a" }, hardware("a"))).toBe(true);
    expect(mayHave({ hardwareName: "a" }, hardware("b"))).toBe(false);
  });
});

describe("byWorth", () => {
  it("sums the weights of all terms that select", () => {
    const preferred = [
      { weight: 50, hardwareAffinityTerm: term({ rack: "1" }) },
      { weight: 30, hardwareAffinityTerm: term({ disk: "nvme" }) },
      { weight: 30, hardwareAffinityTerm: term({ power: "a" }) },
    ];
    const all = [
      hardware("plain"),
      hardware("near", { rack: "1" }),
      hardware("good", { disk: "nvme", power: "a" }),
      hardware("other"),
    ];
    const names = byWorth({ hardwareAffinity: { preferred } }, all).map(({ metadata }) => metadata.name);
    expect(names).toEqual(["good", "near", "plain", "other"]);
  });
});

describe("lackOf", () => {
  it("names the field that every machine needs", () => {
    expect(lackOf(hardware("a"))).toContain("spec.interfaces[0].dhcp.ip.address");
    const interfaces = [{ dhcp: { ip: { address: "10.0.0.1" } } }];
    expect(lackOf(hardware("a", {}, { interfaces }))).toContain("spec.agentID");
    expect(lackOf(hardware("a", {}, { interfaces, agentID: "agent" }))).toBeUndefined();
    expect(
      lackOf(hardware("a", {}, { interfaces: [{ dhcp: { mac: "52:54:00:00:00:01", ip: { address: "10.0.0.1" } } }] })),
    ).toBeUndefined();
  });
});
