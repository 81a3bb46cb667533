import { isJsonObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { k3s, renderNodeDocument, rke2 } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

const golden = (name: string): string => new URL(`__golden__/ignition/${name}.json`, import.meta.url).pathname;

const linesOf = (_: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  if (value.startsWith("data:,")) return decodeURIComponent(value.slice("data:,".length)).split("\n");
  const [, encoded] = /^data:;base64,(.*)$/.exec(value) ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString().split("\n");
};

const readable = (document: string): string => `${JSON.stringify(JSON.parse(document), linesOf, 2)}\n`;

const agent = { format: "ignition", ntp: { servers: ["time.example"] } };
const butane = `variant: flatcar
version: 1.0.0
storage:
  files:
    - path: /etc/motd
      contents: {inline: "{{ as it is }}"}
systemd:
  units:
    - name: rke2-install.service
      dropins: [{name: 10-order.conf, contents: "[Unit]\\nAfter=coreos-metadata.service\\n"}]
`;

const cases = [
  [
    "rke2-init",
    rke2,
    nodeInput("init", { version: "v1.35.4+rke2r1", source: { agent: { ...agent, cisProfile: "cis" } } }),
  ],
  [
    "rke2-agent",
    rke2,
    nodeInput("agent", {
      version: "v1.35.4+rke2r1",
      server: "https://10.8.0.4:9345",
      preCommands: ["swapoff -a"],
      postCommands: ["touch /run/done"],
      files: [{ path: "/opt/data", encoding: "base64", content: "AAEC", permissions: "0600" }],
      source: { agent: { ...agent, additionalUserData: { config: butane } } },
    }),
  ],
  [
    "rke2-air-gapped",
    rke2,
    nodeInput("join", {
      version: "v1.35.4+rke2r1",
      server: "https://10.8.0.4:9345",
      source: { agent: { format: "ignition", airGapped: true, airGappedChecksum: "abc123" } },
    }),
  ],
  [
    "k3s-join",
    k3s,
    nodeInput("join", { version: "v1.35.4+k3s1", server: "https://198.51.100.7:6443", source: { agent } }),
  ],
] as const;

describe("the Ignition config of a machine", () => {
  it.each(cases)("%s", async (name, distribution, input) => {
    const document = renderNodeDocument(distribution, input);
    await expect(readable(document)).toMatchFileSnapshot(golden(name));
    expect(renderNodeDocument(distribution, structuredClone(input))).toBe(document);
  });

  it("leaves SELinux, the disk and sshd as they are", () => {
    for (const [, distribution, input] of cases) {
      const config = JSON.parse(renderNodeDocument(distribution, input)) as Record<string, Record<string, unknown>>;
      expect(JSON.stringify(config)).not.toMatch(/setenforce|sshd_config/);
      expect(Object.keys(config["storage"] ?? {})).toEqual(["files"]);
      expect(isJsonObject(config["systemd"])).toBe(true);
    }
  });
});
