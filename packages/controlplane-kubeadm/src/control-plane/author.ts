import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { Group, isCapstanError } from "@capstan/contract";
import { ConfigMapResource, SecretResource } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import { type ControlPlaneAuthor, type DesiredControlPlane } from "@capstan/kit/control-plane";
import { KubeadmControlPlane } from "../api.ts";
import { hasOwnEtcd, type Context } from "../etcd/etcd-access.ts";
import { preflight } from "./preflight.ts";
import { beforeDeletion, beforeRemediation, leaveEtcd } from "./leave.ts";
import { workloadAccount } from "../workload/workload-account.ts";
import { recordCertificateExpiry } from "../workload/certificate-expiry.ts";
import { updateCoreDns } from "../workload/core-dns.ts";
import { updateKubeProxy } from "../workload/kube-proxy.ts";
import { hasKubeadmConfig, updateKubeadmConfig } from "../workload/kubeadm-config-map.ts";
import { ensureKubeadmPermissions } from "../workload/kubeadm-permissions.ts";
import { observe } from "../workload/observe.ts";
import { secrets } from "../config/cluster-secrets.ts";
import { isConfigOutdated } from "../config/config-difference.ts";
import { machineConfig } from "../config/machine-config.ts";
import { MemberCondition } from "../api/control-plane-conditions.ts";

const serverPods = [MemberCondition.apiServer, MemberCondition.controllerManager, MemberCondition.scheduler];

/**
 * Returns the conditions that must be True for every Machine to be Ready: our own, and the additional ones of the
 * object.
 */
const readinessGates = ({ spec, ...object }: KubeadmControlPlane) => {
  const { etcdMember, etcdPod, ...components } = MemberCondition;
  const own = Object.values(hasOwnEtcd({ ...object, spec }) ? { ...components, etcdPod, etcdMember } : components);
  const others = (spec.machineTemplate.spec.readinessGates ?? []).filter(
    ({ conditionType }) => !own.some((type) => type === conditionType),
  );
  return [...own.map((conditionType) => ({ conditionType })), ...others];
};

const desired = (object: KubeadmControlPlane): DesiredControlPlane => {
  const { machineNaming, machineTemplate, remediation, replicas, rollout, version } = object.spec;
  const { deletion, infrastructureRef, taints } = machineTemplate.spec;
  const maxSurge = rollout?.strategy?.rollingUpdate?.maxSurge;
  return {
    replicas,
    version,
    infrastructureRef,
    ...(machineTemplate.metadata === undefined ? {} : { metadata: machineTemplate.metadata }),
    settings: {
      readinessGates: readinessGates(object),
      ...(taints === undefined ? {} : { taints }),
      ...(deletion === undefined ? {} : { deletion }),
    },
    ...(machineNaming?.template === undefined ? {} : { naming: machineNaming.template }),
    rollout: {
      ...(maxSurge === undefined ? {} : { maxSurge: Number(maxSurge) }),
      ...(rollout?.after === undefined ? {} : { after: rollout.after }),
      ...(rollout?.before === undefined ? {} : { before: rollout.before }),
    },
    ...(remediation === undefined ? {} : { remediation }),
  };
};

/** Until kubeadm has left its configuration in the cluster, it has not begun. */
const initialized = async (context: Context): Promise<boolean> => {
  try {
    return await hasKubeadmConfig(await context.workload(), context.call);
  } catch (error) {
    if (isCapstanError(error)) return false;
    throw error;
  }
};

/** A control plane of Machines that kubeadm makes Nodes, with etcd on them or elsewhere. */
export const kubeadmControlPlaneAuthor = (options: {
  readonly concurrency: number;
}): ControlPlaneAuthor<KubeadmControlPlane> => ({
  kind: KubeadmControlPlane,
  finalizer: `kubeadm.${Group.controlPlane}`,
  concurrency: options.concurrency,
  fieldManager: "capi-kubeadmcontrolplane",
  configKind: KubeadmConfig,
  permissions: [
    permission(SecretResource, ["get", "create", "patch"]),
    permission(ConfigMapResource, ["get"]),
    permission(KubeadmConfig, ["delete"]),
  ],
  workload: workloadAccount,
  desired,
  bootstrapConfig: ({ object, role }) => machineConfig(object, role),
  outdated: ({ object, member: { config } }) =>
    config !== undefined && isConfigOutdated(object, (config as KubeadmConfig).spec ?? {})
      ? ["KubeadmConfig is not up-to-date"]
      : [],
  certificates: secrets.keepCertificates,
  kubeconfig: secrets.keepKubeconfig,
  initialized,
  observe,
  preflight,
  beforeRollout: async (context) => {
    const workload = await context.workload();
    await ensureKubeadmPermissions(workload, context.call);
    await updateKubeadmConfig(workload, context.object, context.call);
  },
  beforeDeletion,
  terminationHook: { name: "kcp-cleanup", run: leaveEtcd },
  urgency: [MemberCondition.etcdMember, MemberCondition.etcdPod, ...serverPods],
  beforeRemediation,
  beforeAdoption: secrets.adoptCertificates,
  upkeep: async (context) => {
    if (!context.initialized) return;
    const workload = await context.workload();
    await updateKubeProxy(workload, context.object, context.call);
    await updateCoreDns(workload, context.object, context.call);
    await recordCertificateExpiry(context);
  },
});
