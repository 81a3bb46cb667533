import type { GuestHostV1 } from "@capstan/contract/v1";
import { valueAt } from "@capstan/contract/wire";
import { LinodeMachine } from "@capstan/infra-linode/api";
import { createSimulation } from "@capstan/sim-linode";
import { describe, expect, it } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { createProgram } from "../src/program.ts";
import { alarmsOf } from "./alarms.ts";
import { startTestSystemOn } from "./test-system.ts";

const generate = async (bootstrap: string, flavor: string, version: string, workers: number): Promise<string> => {
  let said = "";
  const program = createProgram({ write: (text) => void (said += text), writeError: (text) => void (said += text) });
  const which = ["--infrastructure", "linode", "--bootstrap", bootstrap, "--flavor", flavor];
  const flags = ["--kubernetes-version", version, "--workers", String(workers)];
  const status = await program.run(["generate", "cluster", "aurora", ...which, ...flags]);
  expect(status, said).toBe(0);
  return said;
};

/** 32 kB of what templates, shells and line ends of elsewhere could change. */
const line = "{{ no }} {% template %} ${#a[@]} 'quoted' \"twice\" \\n gr\u00FC\u00DFe\r\n";
const large = Buffer.from(line.repeat(Math.ceil(32_768 / Buffer.byteLength(line)))).subarray(0, 32_768);

const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "large" },
  data: { content: large.toString("base64") },
};

const file = { path: "/opt/large-file", contentFrom: { secret: { name: "large", key: "content" } } };

interface Spec {
  files?: readonly object[];
}

interface Manifest {
  readonly kind: string;
  readonly spec?: Spec & { kthreesConfigSpec?: Spec; template?: { spec: Spec } };
}

/** Every control plane, and every template of bootstrap configs, with the file. */
const withLargeFile = (text: string, config: string): string => {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  for (const { kind, spec } of objects) {
    if (/^(?:KThrees|RKE2)ControlPlane$/.test(kind) && spec !== undefined) {
      (spec.kthreesConfigSpec ?? spec).files = [file];
    }
    if (kind === `${config}Template` && spec?.template !== undefined) spec.template.spec.files = [file];
  }
  return [...objects, secret].map((object) => stringify(object)).join("---\n");
};

describe.each([
  { bootstrap: "k3s", config: "KThreesConfig", version: "v1.35.4+k3s1" },
  { bootstrap: "rke2", config: "RKE2Config", version: "v1.35.4+rke2r1" },
])("flavors for $bootstrap", ({ bootstrap, config, version }) => {
  it("bring a file of 32 kB to every machine by the object store, byte for byte", async () => {
    let guests: GuestHostV1 | undefined;
    const text = withLargeFile(await generate(bootstrap, "object-store", version, 1), config);
    const cloud = {
      linode: (outside: Parameters<typeof createSimulation>[0]) =>
        createSimulation({ ...outside, guest: (name) => (guests = outside.guest(name)) }),
    };
    await using system = await startTestSystemOn(cloud, text);
    await system.untilRunning();
    expect(await alarmsOf(system)).toEqual([]);
    const { items } = await system.running.client.list(LinodeMachine, { namespace: "default" });
    expect(items).toHaveLength(2);
    for (const machine of items) {
      const record = machine.metadata.annotations?.["capstan.dev/bootstrap-delivery"] ?? "{}";
      const { route, sizeBytes } = JSON.parse(record) as { readonly route?: string; readonly sizeBytes?: number };
      expect(route).toBe("object-store");
      expect(sizeBytes).toBeGreaterThan(large.length);
      const arrived = guests
        ?.disk?.(
          String(valueAt(machine, "spec.instanceID") ?? valueAt(machine, "spec.providerID")).replace("linode://", ""),
        )
        ?.stat("/opt/large-file");
      expect(Buffer.from(arrived?.bytes ?? []).equals(large)).toBe(true);
    }
  });
});
