import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@capstan/testing";
import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { createTinkerbellProvider } from "@capstan/tinkerbell";
import { BmcJob, BmcMachine, BmcTask, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";

/** A machine of the scene, and what nobody else may be told. */
export interface FuzzedMachine {
  readonly name: string;
  readonly mac: string;
  readonly address: string;
  readonly secret: string;
}

export const server = "127.9.0.254";
/** Where replies of DHCP go: nothing leaves this computer. */
export const relay = "127.9.0.253";

export const machines: readonly FuzzedMachine[] = ["a", "b"].map((name, index) => ({
  name,
  mac: `52:54:00:00:09:0${index + 1}`,
  address: `127.9.0.${index + 1}`,
  secret: `secret-of-${name}`,
}));

/** The outcome of made-up inputs of one kind. */
export interface Fuzzed {
  /** Inputs that were valid enough for an answer with content. */
  readonly served: number;
  readonly wrong: readonly string[];
}

export interface Scene {
  readonly ports: Readonly<Record<"http" | "grpc" | "dhcp" | "relay" | "tftp", number>>;
  readonly stop: () => Promise<void>;
}

/** A binary that machines boot; another file of its folder is a secret. */
export const bootFile = { name: "undionly.kpxe", content: Buffer.alloc(3000, "u") } as const;

const bootFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-fuzz-"));
  writeFileSync(join(folder, bootFile.name), bootFile.content);
  writeFileSync(join(folder, "secret.key"), "secret");
  return folder;
};

/** Two machines with user data and a Workflow each, and the services that they call, for all of loopback. */
export const startScene = async (): Promise<Scene> => {
  const environment = await ConformanceEnvironment.start([Hardware, Template, Workflow, BmcMachine, BmcJob, BmcTask]);
  const namespace = await environment.namespace();
  const create = (kind: typeof Hardware | typeof Template | typeof Workflow, name: string, spec: object) =>
    environment.client.create(kind as typeof Hardware, {
      apiVersion: "tinkerbell.org/v1alpha1",
      kind: kind.kind,
      metadata: { name, namespace },
      spec,
    });
  const action = "{name: one, image: x, environment: {SECRET: '{{ .secret }}'}}";
  await create(Template, "t", {
    data: `name: t\ntasks:\n- name: t\n  worker: '{{ .device_1 }}'\n  actions:\n  - ${action}\n`,
  });
  for (const { address, mac, name, secret } of machines) {
    await create(Hardware, name, {
      interfaces: [{ disableDhcp: false, dhcp: { mac, ip: { address } }, netboot: { allowPXE: true } }],
      metadata: { instance: { id: `i-${name}`, hostname: secret } },
      userData: secret,
    });
    await create(Workflow, name, { templateRef: "t", hardwareRef: name, hardwareMap: { device_1: mac, secret } });
  }
  const tftp = await freePort();
  const ports = {
    http: await freePort(),
    grpc: await freePort(),
    dhcp: await freePort(),
    relay: await freePort(),
    tftp,
  };
  const ipxeFolder = bootFolder();
  const dhcp = { mode: "reservation", listen: server, port: ports.dhcp, relayPort: ports.relay } as const;
  const all = { httpPort: ports.http, grpcPort: ports.grpc, tftpPort: tftp, dhcp, ipxeFolder };
  const services = { address: server, listen: server, ...all };
  const running: RunningManager = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["workflow", "http", "grpc", "dhcp", "tftp"], services })],
  });
  for (const { name } of machines) {
    await environment.eventually(Workflow, { namespace, name }, (workflow) => workflow?.status?.state === "PENDING");
  }
  return {
    ports,
    stop: async () => {
      await running.stop();
      await environment.stop();
      rmSync(ipxeFolder, { recursive: true });
    },
  };
};
