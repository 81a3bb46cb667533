import { createHash } from "node:crypto";
import { machine as machineFields } from "@capstan/contract/wire";
import { canonicalJson, type KubeObject } from "@capstan/schema";

/** A digest of what a document is made from: the spec of the config, and the version of its machines. */
export const documentRevision = (config: KubeObject, machine: KubeObject): string =>
  createHash("sha256")
    .update(canonicalJson([config["spec"], machineFields.version.get(machine)]))
    .digest("hex")
    .slice(0, 16);
