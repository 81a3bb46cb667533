import { infraMachineConformance } from "@capstan/testing/conformance";
import type { CloudFault, InfraMachineSubject, SuiteTools } from "@capstan/testing/conformance";
import { apiVersionOf } from "@capstan/schema";
import { AzureCluster, AzureClusterIdentity, AzureMachine } from "../src/api.ts";
import { location, startCloud } from "./cloud.ts";
import { existingNetwork } from "./existing-network.ts";
import { azureKinds } from "../src/azure-kinds.ts";

const virtualMachine = /\/virtualMachines\/[^/]+$/i;

const faultOf = ({ kind, on, retryAfterMs = 1000, times }: CloudFault) => {
  const actions = {
    refused: { kind: "status", status: 503, code: "ServiceUnavailable", message: "planned" },
    "lost-answer": { kind: "lost-answer" },
    throttled: {
      kind: "status",
      status: 429,
      code: "TooManyRequests",
      message: "planned",
      headers: { "retry-after": String(retryAfterMs / 1000) },
    },
  } as const;
  return { method: on === "create" ? "PUT" : "DELETE", path: virtualMachine, times, action: actions[kind] } as const;
};

const principal = {
  clientId: "11111111-1111-1111-1111-111111111111",
  objectId: "22222222-2222-2222-2222-222222222222",
  clientSecret: "of-the-suite",
  role: "Owner",
} as const;
const identityRef = { kind: "AzureClusterIdentity", name: "identity" };
const identitySecret = "identity-secret";

const machineCloud: InfraMachineSubject["start"] = async (environment) => {
  const cloud = await startCloud(environment, { principals: [principal] });
  const { simulator } = cloud;
  const ofMachine = (uid: string) => simulator.state.resources.filter(({ tags }) => tags?.["capstan-uid"] === uid);
  const servers = (uid: string) => ofMachine(uid).filter(({ type }) => type.endsWith("/virtualMachines"));
  return {
    ...cloud,
    clusterSpec: async (namespace) => {
      await environment.client.create(AzureClusterIdentity, {
        apiVersion: apiVersionOf(AzureClusterIdentity),
        kind: AzureClusterIdentity.kind,
        metadata: { name: identityRef.name, namespace },
        spec: {
          type: "ServicePrincipal",
          tenantID: simulator.tenantId,
          clientID: principal.clientId,
          clientSecret: { name: identitySecret, namespace },
          allowedNamespaces: {},
        },
      });
      return { ...(await existingNetwork(cloud, namespace)), identityRef };
    },
    serversOf: (uid) => servers(uid).length,
    partsOf: (uid) => ofMachine(uid).length,
    creations: () =>
      simulator.requests.log
        .filter(({ method, path }) => method === "PUT" && virtualMachine.test(path))
        .map(({ at }) => at),
    disturb: (fault) => {
      simulator.faults.add(faultOf(fault));
    },
    loseOperations: () => {
      for (const operation of simulator.state.operations) Object.assign(operation, { lost: true });
    },
    failOperation: () => {
      simulator.faults.add({
        method: "PUT",
        path: virtualMachine,
        action: { kind: "operation-failed", code: "AllocationFailed", reason: "no room" },
      });
      return "no room";
    },
    destroy: async (uid) => {
      for (const { id } of servers(uid)) await cloud.call("DELETE", id);
    },
  };
};

/** The suite of infrastructure machines, on simulated Azure. */
export const testMachines = (tools: SuiteTools): void => {
  infraMachineConformance(tools, {
    kinds: azureKinds,
    machineKind: AzureMachine,
    clusterKind: AzureCluster,
    machineSpec: {
      vmSize: "Standard_D2s_v3",
      osDisk: { osType: "Linux" },
      sshPublicKey: Buffer.from("ssh-rsa AAAA").toString("base64"),
      dataDisks: [{ nameSuffix: "data", diskSizeGB: 8 }],
      allocatePublicIP: true,
      disableVMBootstrapExtension: false,
      vmExtensions: [{ name: "CustomScript", publisher: "Microsoft.Azure.Extensions", version: "2.1" }],
    },
    clusterSpec: { location },
    secrets: { [identitySecret]: { clientSecret: Buffer.from(principal.clientSecret).toString("base64") } },
    operations: true,
    skip: {
      "says why an operation failed, and tries again":
        "a machine that came to nothing stays at Azure as Failed and is not recreated: a MachineHealthCheck replaces it",
    },
    start: machineCloud,
  });
};
