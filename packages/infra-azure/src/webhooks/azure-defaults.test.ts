import { valueAt } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { expect, it } from "vitest";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import { AzureMachineTemplate } from "../api/azure-machine-template.v1beta1.ts";
import { azureWebhooks } from "./azure-webhooks.ts";

const machine = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } };

it.each<[string, Resource, object, string]>([
  ["AzureMachine", AzureMachine, machine, "spec.sshPublicKey"],
  ["AzureMachineTemplate", AzureMachineTemplate, { template: { spec: machine } }, "spec.template.spec.sshPublicKey"],
  ["AzureMachinePool", AzureMachinePool, { location: "westeurope", template: machine }, "spec.template.sshPublicKey"],
])(
  "an %s without an SSH key gets one, keeps it when the same is said again, and is accepted so",
  async (_, kind, spec, field) => {
    const webhooks = azureWebhooks({}).find((each) => each.kind.kind === kind.kind);
    const given: KubeObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: "m" }, spec };
    const find = async () => undefined;
    const defaulted = async (object: KubeObject, old?: KubeObject): Promise<KubeObject> => {
      const answer = await webhooks?.default?.(object, { find, ...(old && { old }) });
      if (answer === undefined || "refused" in answer) return expect.fail("it has no defaults");
      return answer.object;
    };
    const stored = await defaulted(given);
    const key = valueAt(stored, field);
    expect(Buffer.from(String(key), "base64").toString()).toMatch(/^ssh-rsa [A-Za-z0-9+/=]{300,}$/);
    const again = await defaulted(given, stored);
    expect(again).toEqual(stored);
    expect(await webhooks?.validate?.(again, { find, old: stored })).toEqual([]);
    // One that was stored before there was this default stays as it is.
    expect(valueAt(await defaulted(given, given), field)).toBeUndefined();
  },
);
