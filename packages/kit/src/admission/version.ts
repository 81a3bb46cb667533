import type { Cause } from "@capstan/schema";
import { invalid } from "./causes.ts";

const kubernetesVersion = /^v(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)[-0-9a-zA-Z_.+]*$/;

/** Returns whether a Kubernetes version is written as one. */
export const versionCauses = (version: string | undefined, path: string): readonly Cause[] =>
  version === undefined || kubernetesVersion.test(version)
    ? []
    : [invalid(path, version, "must be a semantic version such as v1.33.4")];
