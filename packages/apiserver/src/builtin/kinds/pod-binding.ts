import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { conflict, invalid } from "../../model/status-error.ts";
import type { ActionCall } from "../../model/types.ts";
import { required } from "../validation/causes.ts";
import { listOf, partOf, specOf, statusOf, textOf, withSpec } from "../../values/object-parts.ts";

const pods = { group: "", plural: "pods" };
const binding = { group: "", plural: "bindings", kind: "Binding" };

/** Answers POST pods/NAME/binding: puts the Pod on the target node. Throws a 409 when it is on one already. */
export const bindPod = async (call: ActionCall): Promise<KubeObject> => {
  const body = call.body;
  const node = textOf(partOf(body?.["target"])["name"]);
  const name = call.name === "" ? (body?.metadata.name ?? "") : call.name;
  if (node === "") {
    throw invalid(binding, name, [required("target.name")]);
  }
  const pod = await call.store.get(pods, { namespace: call.namespace, name });
  const current = textOf(specOf(pod)["nodeName"]);
  if (current !== "") {
    throw conflict({ ...pods, kind: "Pod" }, name, `pod ${name} is already assigned to node "${current}"`);
  }
  const options = { user: call.user, dryRun: call.dryRun, admitted: true };
  const bound = withSpec(pod, { nodeName: node });
  const annotations = { ...pod.metadata.annotations, ...body?.metadata.annotations };
  const assigned: KubeObject = {
    ...bound,
    metadata: Object.keys(annotations).length === 0 ? bound.metadata : { ...bound.metadata, annotations },
  };
  await call.store.update(pods, assigned, { ...options, subresource: "binding" });
  if (!call.dryRun) {
    await call.store.patch(pods, { namespace: call.namespace, name }, scheduled(pod, call.now), {
      ...options,
      subresource: "status",
    });
  }
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
};

const scheduled = (pod: KubeObject, now: number) => {
  const others = listOf(statusOf(pod)["conditions"]).filter(
    (condition) => partOf(condition)["type"] !== "PodScheduled",
  );
  const condition = { type: "PodScheduled", status: "True", lastTransitionTime: rfc3339(now) };
  return { type: "merge", patch: { status: { conditions: [...others, condition] } } } as const;
};
