import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { silentLogger } from "@capstan/contract";
import { defaultMerge } from "@capstan/bootstrap-composite/api";
import type { GuestMachineV1 } from "@capstan/contract/v1";
import { createSimulation } from "@capstan/sim-linode";
import { multipart } from "@capstan/kit/bootstrap";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { openDataFolder, silentView, simulatedLinode, startSystem, type RunningSystem } from "../../src/embedded-up.ts";
import { exampleGoingOn } from "./going-on.ts";
import { bootMachine, buildRoot, unavailable, type BootedMachine } from "./cloud-init-root.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real cloud-init is skipped: ${reason}`);

const example = exampleGoingOn();

/** The contents of the large file as the manifest has them. */
const largeFile = (): string => {
  const documents = parseAllDocuments(readFileSync(example, "utf8")).map(
    (document) => document.toJS() as Record<string, unknown>,
  );
  const secret = documents.find((object) => (object["metadata"] as { name: string }).name === "orchid-large-file");
  return (secret?.["stringData"] as { content: string } | undefined)?.content ?? "";
};

/** A machine with the document that its user data points to, which is deleted once it has run. */
const fetched = async (machine: GuestMachineV1): Promise<GuestMachineV1> => {
  const [, url] = /^#include\n(\S+)/.exec(Buffer.from(machine.userData, "base64").toString()) ?? [];
  if (url === undefined) return machine;
  const answer = await fetch(url);
  return { ...machine, userData: Buffer.from(await answer.arrayBuffer()).toString("base64") };
};

const digest = (text: string | undefined): string =>
  createHash("sha256")
    .update(text ?? "")
    .digest("hex");

describe.skipIf(reason !== undefined)("user-data that the providers delivered, booted by the real cloud-init", () => {
  let root: string;
  let system: RunningSystem;
  let controlPlane: GuestMachineV1;
  let worker: GuestMachineV1;
  const data = openDataFolder("", { temporary: true });

  beforeAll(async () => {
    root = buildRoot();
    const machines = {
      controlPlane: Promise.withResolvers<GuestMachineV1>(),
      worker: Promise.withResolvers<GuestMachineV1>(),
    };
    system = await startSystem(simulatedLinode([example]), {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      simulations: {
        linode: (outside) =>
          createSimulation({
            ...outside,
            guest: (name) => {
              const guest = outside.guest(name);
              return {
                // Workers are only caught: were they to run, their object in the store would be deleted before it could be fetched.
                boot: async (machine) => {
                  if (!machine.name.includes("control-plane")) return machines.worker.resolve(machine);
                  machines.controlPlane.resolve(await fetched(machine));
                  return guest.boot(machine);
                },
                shutdown: (id, options) => guest.shutdown(id, options),
              };
            },
          }),
      },
    });
    controlPlane = await machines.controlPlane.promise;
    worker = await machines.worker.promise;
  }, 600_000);

  afterAll(async () => {
    await system?.stop();
    data.close();
  });

  const boot = (machine: GuestMachineV1, files: readonly string[]): Promise<BootedMachine> =>
    bootMachine({ root, userData: Buffer.from(machine.userData, "base64"), metadata: machine.metadata, files });

  const sentinel = "/run/cluster-api/bootstrap-success.complete";

  it("a worker follows the pointer to its 40 kB file and joins", async () => {
    const booted = await boot(worker, [sentinel, "/opt/large-file.txt", "/run/kubeadm/kubeadm-join-config.yaml"]);
    expect(booted.userdata.split("\n")[0], booted.log).toBe("#include");
    expect(booted.userdata.split("\n")[1]).toMatch(/^https?:\/\//);
    expect(booted.result.v1.errors).toEqual([]);
    expect(booted.file("/opt/large-file.txt")?.length).toBeGreaterThan(40_000);
    expect(digest(booted.file("/opt/large-file.txt"))).toBe(digest(largeFile()));
    expect(booted.file("/run/kubeadm/kubeadm-join-config.yaml")).toContain("kind: JoinConfiguration");
    expect(booted.file("/run/kubeadm/kubeadm-join-config.yaml")).toContain(`name: '${worker.name}'`);
    expect(booted.calls.map((line) => line.trim())).toEqual([
      "kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml",
    ]);
    expect(booted.file(sentinel)).toBe("success\n");
  });

  it("a control plane gets its document and initializes", async () => {
    const booted = await boot(controlPlane, [
      sentinel,
      "/run/kubeadm/kubeadm.yaml",
      "/etc/kubernetes/pki/ca.crt",
      "/etc/kubernetes/pki/sa.key",
    ]);
    expect(booted.userdata, booted.log).toContain("## template: jinja");
    // The root has no kubectl, by which the network of Pods is applied once kubeadm has ended.
    expect(booted.log).toContain("kubectl: not found");
    expect(booted.file("/run/kubeadm/kubeadm.yaml")).toContain("kind: InitConfiguration");
    expect(booted.file("/etc/kubernetes/pki/ca.crt")).toContain("BEGIN CERTIFICATE");
    expect(booted.file("/etc/kubernetes/pki/sa.key")).toContain("PRIVATE KEY");
    expect(booted.calls.map((line) => line.trim())).toEqual(["kubeadm init --config /run/kubeadm/kubeadm.yaml"]);
    expect(booted.file(sentinel)).toBe("success\n");
  });

  it("several parts are one boot: lists joined in order, templates rendered, scripts run", async () => {
    const nested = multipart([
      { name: "inner", content: "#cloud-config\nruncmd: [echo inner >>/opt/order]\n", merge: defaultMerge },
    ]);
    const contents = [
      "#cloud-config\nwrite_files: [{path: /opt/first, content: kept}]\nruncmd: [echo first >>/opt/order]\n",
      "## template: jinja\n#cloud-config\nruncmd: [echo {{ ds.meta_data.label }} >>/opt/order]\n",
      "#cloud-config\nwrite_files: [{path: /opt/second, content: gr\u00FC\u00DFe}]\nruncmd: [echo second >>/opt/order]\n",
      nested,
      "#!/bin/sh\necho script >>/opt/order\n",
    ];
    const document = multipart(
      contents.map((content, index) => ({ name: `part-${index}`, content, merge: defaultMerge })),
    );
    const booted = await bootMachine({
      root,
      userData: Buffer.from(document),
      metadata: { "instance-id": "composite", label: "worker-7" },
      files: ["/opt/first", "/opt/second", "/opt/order"],
    });
    expect(booted.result.v1.errors, booted.log).toEqual([]);
    expect(booted.file("/opt/first")).toBe("kept");
    expect(booted.file("/opt/second")).toBe("gr\u00FC\u00DFe");
    expect(booted.file("/opt/order")?.trim().split("\n")).toEqual(["first", "worker-7", "second", "inner", "script"]);
  });
});
