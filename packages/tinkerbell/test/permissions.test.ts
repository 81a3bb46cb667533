import type { ControllerV1 } from "@capstan/contract/v1";
import { expect, it } from "vitest";
import { createTinkerbellProvider } from "../src/index.ts";
import { webhooks } from "../src/admission/webhooks.ts";
import { permitted } from "./under-its-role.ts";

const controllers: ControllerV1[] = [];
const services = { address: "127.0.0.1", ipxeFolder: "/", syslog: true };
createTinkerbellProvider({ services }).register({ add: (each) => controllers.push(each) });

/** What each component may write, and which contents it may read; nothing else of the management API is open to it. */
const matrix: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Those that Hardware names, and that are for it: it neither lists nor watches Secrets.
  "tinkerbell-http": { "hardware.tinkerbell.org": ["list", "watch"], "secrets.": ["get"] },
  "tinkerbell-tftp": { "hardware.tinkerbell.org": ["list", "watch"] },
  "tinkerbell-syslog": { "hardware.tinkerbell.org": ["list", "watch"] },
  "tinkerbell-grpc": {
    "events.": ["create", "patch"],
    "hardware.tinkerbell.org": ["list", "watch"],
    "workflows.tinkerbell.org": ["get", "list", "watch"],
    "workflows/status.tinkerbell.org": ["patch"],
  },
  "tinkerbell-hardware": {
    "events.": ["create", "patch"],
    "hardware.tinkerbell.org": ["list", "watch"],
    "hardware/status.tinkerbell.org": ["patch"],
    "machines.bmc.tinkerbell.org": ["list", "watch"],
    // Which of them an administrator trusts.
    "namespaces.": ["list", "watch"],
  },
  "tinkerbell-workflow": {
    "events.": ["create", "patch"],
    // Booting from the network is switched on and off in the Hardware.
    "hardware.tinkerbell.org": ["list", "patch", "watch"],
    "jobs.bmc.tinkerbell.org": ["create", "delete", "get", "list", "watch"],
    // Hardware whose board management is that of another is not booted.
    "machines.bmc.tinkerbell.org": ["list", "watch"],
    "tasks.bmc.tinkerbell.org": ["delete", "list"],
    "templates.tinkerbell.org": ["list", "watch"],
    "workflows.tinkerbell.org": ["list", "watch"],
    "workflows/status.tinkerbell.org": ["patch"],
  },
};

it.each(Object.entries(matrix))("%s may do what it does and no more", (name, expected) => {
  const found = controllers.find((each) => each.name === name);
  const allowed = [...permitted(found!)].map(([key, verbs]) => [key, [...verbs].toSorted()]);
  expect(Object.fromEntries(allowed)).toEqual(expected);
});

it("of Secrets, board management and the metadata service read those that are named, and the webhooks read nothing", () => {
  const readers = controllers.filter((each) => permitted(each).has("secrets.")).map(({ name }) => name);
  for (const name of readers) expect(name).toMatch(/bmc|^tinkerbell-http$/);
  for (const { permissions } of webhooks) expect(permissions ?? []).toEqual([]);
});
