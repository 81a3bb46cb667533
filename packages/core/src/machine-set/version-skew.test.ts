import { Group } from "@capstan/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlPlaneVersions, kubeadmSkew, kubernetesSkew, type Workers } from "./version-skew.ts";

const workers = (version: string | undefined, kind = "TestConfigTemplate"): Workers => ({
  spec: {
    template: {
      spec: {
        ...(version === undefined ? {} : { version }),
        bootstrap: { configRef: { apiGroup: Group.bootstrap, kind, name: "t" } },
      },
    },
  },
});

const versionsOf = (versions: readonly (string | undefined)[]) =>
  controlPlaneVersions(
    versions.map((version, index) => ({
      metadata: { name: `cp-${index}` },
      spec: version === undefined ? {} : { version },
    })),
  );

describe("controlPlaneVersions", () => {
  it.each([
    ["no Machines", [], undefined],
    ["Machines without a version", [undefined], undefined],
    ["versions that cannot be read", ["latest", undefined], undefined],
    ["one version", ["v1.34.1"], ["cp-0", "cp-0"]],
    ["an upgrade under way", ["v1.35.0", "v1.34.1", undefined, "v1.34.3"], ["cp-1", "cp-0"]],
    ["minor versions with two digits", ["v1.9.0", "v1.10.0"], ["cp-0", "cp-1"]],
  ])("of %s", (_, versions, expected) => {
    const found = versionsOf(versions);
    expect(found === undefined ? undefined : [found.oldest.machine, found.newest.machine]).toEqual(expected);
  });
});

it("lets workers be as new as the oldest API server, and three minor versions older than the newest", () => {
  const minors = fc.integer({ min: 4, max: 40 });
  fc.assert(
    fc.property(minors, fc.array(minors, { minLength: 1, maxLength: 5 }), fc.nat(9), (mine, servers, patch) => {
      const range = versionsOf(servers.map((minor) => `v1.${minor}.${patch}`));
      if (range === undefined) throw new Error("versions were not read");
      const isFine = mine <= Math.min(...servers) && mine >= Math.max(...servers) - 3;
      expect(kubernetesSkew(workers(`v1.${mine}.0`), range) === undefined).toBe(isFine);
      const joins = mine === Math.min(...servers);
      expect(kubeadmSkew(workers(`v1.${mine}.0`, "KubeadmConfigTemplate"), range) === undefined).toBe(joins);
      expect(kubeadmSkew(workers(`v1.${mine}.0`), range)).toBeUndefined();
      expect(kubernetesSkew(workers(undefined), { oldest: range.oldest, newest: range.oldest })).toBeUndefined();
    }),
  );
});
