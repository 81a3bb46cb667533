import type { Distribution } from "@capstan/bootstrap-rke2-k3s/render";
import { authoritiesOf } from "@capstan/bootstrap-rke2-k3s/spec";
import { SecretPurpose } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import type { DesiredControlPlane } from "@capstan/kit/control-plane";
import type { KubeObject, Resource } from "@capstan/schema";

type Spec = Readonly<Record<string, unknown>>;

/** All in which the control planes of the distributions differ: the controllers ask for no name. */
export interface ControlPlaneDistribution<O extends KubeObject> {
  readonly kind: Resource<O>;
  /** Kind of the configs of its Machines. */
  readonly configKind: Resource;
  readonly finalizer: string;
  readonly oldFinalizers?: readonly string[];
  /** Field manager of Machines. */
  readonly fieldManager: string;
  /** Name, after the slash, of the annotation that holds a Machine until it has left etcd. */
  readonly terminationHook: string;
  /** Annotation of Machines: the settings of servers that they were made with, as JSON. */
  readonly serverAnnotation: string;
  /** Condition of the control plane that says how etcd is. */
  readonly etcdCondition: string;
  readonly distribution: Distribution;
  readonly desired: (object: O) => Omit<DesiredControlPlane, "infrastructureRef"> & {
    readonly infrastructureRef: ContractReference | undefined;
  };
  /** The spec of the configs of its Machines. */
  readonly configSpec: (object: O) => Spec;
  /** A spec of configs with its defaults, so that what is not set and what is set to its default are the same. */
  readonly withDefaults: (spec: Spec) => Spec;
  /** A spec of a config without what others have put into it. Default: as it is. */
  readonly withoutInjected?: (spec: Spec, config: KubeObject) => Spec;
  /** Annotation of the control plane that takes Nodes out of external load balancers before they are drained, when it is `true`. */
  readonly exclusionAnnotation?: string;
  /** The control plane creates the token that machines join with; otherwise their configs do. */
  readonly createsToken?: boolean;
  /** Its contract has conditions that the newer one does not have. */
  readonly hasOlderConditions?: boolean;
  /** Annotations by which earlier managers of the kind held Machines until they had left etcd. */
  readonly formerHooks?: readonly string[];
  /** The settings of servers. */
  readonly serverConfig: (object: O) => Spec;
  /** Annotations of the Nodes of servers. */
  readonly nodeAnnotations: (object: O) => Readonly<Record<string, string>>;
  /** Where machines register, for `status.availableServerIPs`: see `registrationAddresses`. Absent: at the endpoint. */
  readonly registrationMethod?: (object: O) => { readonly method: string; readonly address: string };
}

/** The group of the annotations of Nodes by which the distribution and others speak of etcd. */
export const etcdPrefix = ({ name }: Distribution): string => `etcd.${name}.cattle.io`;

/** The Secret of the cluster's that the first server makes. */
export const servingSecret = ({ name }: Distribution) => ({ namespace: "kube-system", name: `${name}-serving` });

/** True where etcd can be asked: not that of upstream's first release, whose authority the distribution has made. */
export const hasKnownAuthority = <O extends KubeObject>(of: ControlPlaneDistribution<O>, object: O): boolean =>
  authoritiesOf(of.distribution.authorities, object).some(({ purpose }) => purpose === SecretPurpose.etcd);

/** Servers keep their data in an etcd of their own. */
export const hasOwnEtcd = <O extends KubeObject>(of: ControlPlaneDistribution<O>, object: O): boolean =>
  of.serverConfig(object)["externalDatastoreSecret"] === undefined;
