import { Group } from "@capstan/contract";
import { cluster as clusterFields, describeObject, formatEndpoint, readReference } from "@capstan/contract/wire";
import { type BootstrapContext, waiting } from "@capstan/kit/bootstrap";
import type { ObjectReference } from "@capstan/schema";
import { RKE2Config } from "../api.ts";
import { ConfigReason } from "../api/conditions.ts";
import { rke2 } from "../render/rke2.ts";
import type { ConfigKind, Registration } from "./config-kind.ts";
import { machineVersion } from "./machine-version.ts";
import { type RKE2ControlPlaneFields, RKE2ControlPlaneResource } from "./rke2-control-plane-resource.ts";
import { waitForEndpoint } from "./wait-for-endpoint.ts";

/** Where servers take registrations. */
const registrationPort = 9345;

/** The control plane that the Cluster names, else the one that made the Machine. */
const controlPlaneOf = async (context: BootstrapContext<RKE2Config>): Promise<RKE2ControlPlaneFields | undefined> => {
  const { call, client, cluster, machine } = context;
  const { apiGroup, kind, name: named } = readReference(cluster, clusterFields.controlPlaneRefPath) ?? {};
  const isOurs = apiGroup === Group.controlPlane && kind === RKE2ControlPlaneResource.kind;
  const owner = machine.metadata.ownerReferences?.find(
    (reference) =>
      reference.kind === RKE2ControlPlaneResource.kind && reference.apiVersion.startsWith(`${Group.controlPlane}/`),
  );
  const name = isOurs ? named : owner?.name;
  if (name === undefined) return undefined;
  const { namespace = "" } = cluster.metadata;
  return client.find(RKE2ControlPlaneResource, { namespace, name }, call);
};

/** Methods by which machines register with a server itself. */
const serverMethods: readonly unknown[] = ["internal-first", "internal-only-ips", "external-only-ips"];

const urlOf = (host: string): Registration => ({ url: `https://${formatEndpoint({ host, port: registrationPort })}` });

const register = (
  context: BootstrapContext<RKE2Config>,
  controlPlane: RKE2ControlPlaneFields | undefined,
): Registration => {
  const { registrationAddress = "", registrationMethod } = controlPlane?.spec ?? {};
  if (registrationMethod === "address" && registrationAddress !== "") return urlOf(registrationAddress);
  if (serverMethods.includes(registrationMethod)) {
    const [address] = controlPlane?.status?.availableServerIPs ?? [];
    if (address !== undefined) return urlOf(address);
    const name = controlPlane === undefined ? "" : describeObject(controlPlane);
    const message = `waiting for a server address in status.availableServerIPs of ${name}`;
    return {
      outcome: waiting({ reason: ConfigReason.waitingForServer, message }),
    };
  }
  const endpoint = clusterFields.endpoint.get(context.cluster);
  return endpoint === undefined ? { outcome: waitForEndpoint() } : urlOf(endpoint.host);
};

const placeOf = (reference: ObjectReference | undefined) =>
  reference?.name === undefined || reference.name === ""
    ? undefined
    : {
        name: reference.name,
        ...(reference.namespace !== undefined && reference.namespace !== "" && { namespace: reference.namespace }),
        field: "spec.manifestsConfigMapReference",
      };

/** RKE2: settings that only servers have are in the RKE2ControlPlane. */
export const rke2ConfigKind: ConfigKind<RKE2Config> = {
  kind: RKE2Config,
  distribution: rke2,
  controlPlaneKind: RKE2ControlPlaneResource,
  controlPlane: controlPlaneOf,
  sections: ({ spec = {} }, controlPlane) => {
    const plane: RKE2ControlPlaneFields | undefined = controlPlane;
    const { manifestsConfigMapReference, registrationAddress, serverConfig = {} } = plane?.spec ?? {};
    const place = plane === undefined ? "" : `${describeObject(plane)}: `;
    return {
      agent: spec.agentConfig ?? {},
      server: serverConfig,
      places: { agent: "spec.agentConfig", server: `${place}spec.serverConfig` },
      files: spec.files ?? [],
      preCommands: spec.preRKE2Commands ?? [],
      postCommands: spec.postRKE2Commands ?? [],
      gzip: spec.gzipUserData === true,
      registries: spec.privateRegistriesConfig ?? {},
      manifests: placeOf(manifestsConfigMapReference),
      registrationAddress,
    };
  },
  version: machineVersion,
  register: (context, controlPlane) => register(context, controlPlane),
};
