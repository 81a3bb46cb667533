import { authoritiesOf, keyAlgorithm } from "@capstan/bootstrap-rke2-k3s/spec";
import { isCapstanError } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import { controlPlaneSecrets } from "@capstan/kit/bootstrap";
import {
  type ControlPlaneAuthor,
  type ControlPlaneContext,
  type Member,
  waitForMembers,
} from "@capstan/kit/control-plane";
import { findCondition } from "@capstan/kit/machines";
import type { KubeObject } from "@capstan/schema";
import { type ControlPlaneDistribution, hasOwnEtcd, servingSecret } from "../distribution/distribution.ts";
import { workloadAccount } from "../workload/workload-account.ts";
import { MemberCondition } from "../api/conditions.ts";
import { beforeDeletion, beforeRemediation, leaveEtcd, leaveLoadBalancers } from "./leave.ts";
import { observe } from "./observe.ts";
import { outdatedReasons } from "./outdated.ts";
import { keepToken } from "./token.ts";

/** The authority that signs clients, by the purpose of its Secret. */
const clientAuthority = "cca";

/** Once the first server has made its Secret, it answers. */
const isInitialized = async <O extends KubeObject>(
  { distribution }: ControlPlaneDistribution<O>,
  context: ControlPlaneContext<O>,
): Promise<boolean> => {
  try {
    const client = await context.workload();
    return (await client.find(SecretResource, servingSecret(distribution), context.call)) !== undefined;
  } catch (error) {
    if (isCapstanError(error)) return false;
    throw error;
  }
};

const missingHealth = ({ machine }: Member, ownEtcd: boolean): readonly string[] =>
  [MemberCondition.agent, ...(ownEtcd ? [MemberCondition.etcd] : [])].filter(
    (type) => findCondition(machine, type)?.status !== "True",
  );

/** Returns the functions that a distribution's control plane supplies to the role; its Machines are servers. */
export const distributionAuthor = <O extends KubeObject>(
  of: ControlPlaneDistribution<O>,
  options: { readonly concurrency: number },
): ControlPlaneAuthor<O> => {
  const secrets = controlPlaneSecrets<O>({
    kind: of.kind,
    certificates: ({ object }) =>
      authoritiesOf(of.distribution.authorities, object).map(({ purpose }) => ({ purpose })),
    generate: ({ cluster }) => ({ algorithm: keyAlgorithm(cluster) }),
    clientAuthority,
  });
  const kept = { of, secrets };
  const { exclusionAnnotation } = of;
  return {
    kind: of.kind,
    finalizer: of.finalizer,
    ...(of.oldFinalizers !== undefined && { oldFinalizers: of.oldFinalizers }),
    concurrency: options.concurrency,
    fieldManager: of.fieldManager,
    configKind: of.configKind,
    permissions: [permission(SecretResource, ["get", "create", "patch"])],
    workload: workloadAccount,
    desired: (object) => {
      const { infrastructureRef, ...desired } = of.desired(object);
      return { ...desired, infrastructureRef: infrastructureRef ?? { apiGroup: "", kind: "", name: "" } };
    },
    bootstrapConfig: ({ object }) => of.configSpec(object),
    annotations: (object) => ({ [of.serverAnnotation]: JSON.stringify(of.serverConfig(object)) }),
    outdated: ({ object, member }) => outdatedReasons(of, object, member),
    certificates: async (context) => {
      await secrets.keepCertificates(context);
      if (of.createsToken === true) await keepToken(of.kind, context);
    },
    kubeconfig: (context) => secrets.keepKubeconfig(context),
    initialized: (context) => isInitialized(of, context),
    observe: (context) => observe(kept, context),
    preflight: async (step) => [
      ...(step.initialized && step.action === "scaleUp" ? await secrets.missingCertificates(step) : []),
      ...waitForMembers(step, (member) => missingHealth(member, hasOwnEtcd(of, step.object))),
    ],
    ...(exclusionAnnotation !== undefined && {
      drainHook: {
        name: `${of.distribution.name}-lb-exclusion`,
        isWanted: ({ metadata }) => metadata.annotations?.[exclusionAnnotation] === "true",
        run: leaveLoadBalancers,
      },
    }),
    beforeDeletion: (context) => beforeDeletion(kept, context),
    terminationHook: {
      name: of.terminationHook,
      formerly: of.formerHooks ?? [],
      run: (context) => leaveEtcd(kept, context),
    },
    beforeRemediation: (context) => beforeRemediation(kept, context),
    beforeAdoption: (context) => secrets.adoptCertificates(context),
  };
};
