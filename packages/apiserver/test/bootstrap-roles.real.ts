import type { KubeObject } from "@capstan/schema";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { describe, expect, it } from "vitest";
import { missingRules, type PolicyRule } from "../src/auth/rbac-rules.ts";
import { type Api, createApi } from "./conformance/api.ts";
import { startTarget, users } from "./embedded-server.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

const listed = async (api: Api, plural: string): Promise<readonly KubeObject[]> => {
  const { body } = await api.get(`/apis/rbac.authorization.k8s.io/v1/${plural}`);
  return body.items as readonly KubeObject[];
};

const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ""}/${metadata.name}`;

const rulesOf = (role: KubeObject | undefined): readonly PolicyRule[] => (role?.["rules"] ?? []) as PolicyRule[];

const subjectsOf = (binding: KubeObject | undefined): readonly string[] => {
  const subjects = (binding?.["subjects"] ?? []) as readonly object[];
  return subjects.map((subject) => JSON.stringify([binding?.["roleRef"], subject]));
};

describe.skipIf(assets === "")("the roles of a new server", () => {
  it("give nobody more than those of a real kube-apiserver", async () => {
    const real = await startKubeApiserver({ assets, users });
    const { server, target } = await startTarget();
    const there = createApi({ ...target, url: real.url, caCertificate: real.certificateAuthority.certificate });
    const here = createApi(target);
    const more: unknown[] = [];
    const beside = async (plural: string, moreOf: (ours: KubeObject, theirs: KubeObject | undefined) => unknown[]) => {
      const [ours, theirs] = await Promise.all([listed(here, plural), listed(there, plural)]);
      expect(ours.length).toBeGreaterThan(0);
      for (const object of ours) {
        const found = moreOf(
          object,
          theirs.find((each) => nameOf(each) === nameOf(object)),
        );
        if (found.length > 0) more.push([plural, nameOf(object), found]);
      }
    };
    try {
      // Roles that gather others are filled by a controller there.
      await expect
        .poll(async () => rulesOf((await listed(there, "clusterroles")).find((each) => nameOf(each) === "/admin")))
        .not.toEqual([]);
      for (const plural of ["roles", "clusterroles"]) {
        await beside(plural, (ours, theirs) => [...missingRules(rulesOf(theirs), rulesOf(ours))]);
      }
      for (const plural of ["rolebindings", "clusterrolebindings"]) {
        await beside(plural, (ours, theirs) => {
          const known = subjectsOf(theirs);
          return subjectsOf(ours).filter((subject) => !known.includes(subject));
        });
      }
      expect(more).toEqual([]);
    } finally {
      await Promise.all([here.close(), there.close()]);
      await Promise.all([server.stop(), real.stop()]);
    }
  });
});
