import { setImmediate as nextTurn } from "node:timers/promises";
import { generatedName } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { approve, guard, mutate } from "./admission-chain.ts";
import { normalisedObject } from "./long-steps.ts";
import { metadataCauses, randomUid } from "./metadata.ts";
import { checkObjectSize, type Weight } from "./object-size.ts";
import { bornObject, newObject } from "./prepare.ts";
import { withoutRepeatedOwners } from "./repeated-owners.ts";
import { writeObject } from "../storage/stored-object.ts";
import { type Served, servedObject, serveOne, toStored } from "./served.ts";
import { alreadyExists, badRequest, forbidden, invalid, StatusError } from "../model/status-error.ts";
import { admissionRequest, collectionOf, hookContext, type WriteCall, type WriteEnvironment } from "./write-call.ts";
import { withManager } from "./with-manager.ts";

const generateAttempts = 8;

const checkBody = (call: WriteCall, object: KubeObject): void => {
  const { namespace } = object.metadata;
  if (call.definition.namespaced && (namespace ?? "") !== "" && namespace !== call.namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request: "${namespace}" is not "${call.namespace}"`,
    );
  }
};

/** Throws a 500 if a version is set. Called after the object is validated, and treats an invalid version as none, both as upstream does. */
const checkVersion = ({ metadata: { resourceVersion = "" } }: KubeObject): void => {
  const version = /^\d{1,20}$/.test(resourceVersion) ? BigInt(resourceVersion) : 0n;
  if (version > 0n && version < 2n ** 64n) {
    throw new StatusError(500, "", "resourceVersion should not be set on objects to be created");
  }
};

/** After admission: identity, the kind's own preparation, validation. */
const finish = async (
  environment: WriteEnvironment,
  call: WriteCall,
  object: KubeObject,
  weight: Weight,
): Promise<KubeObject> => {
  const { definition } = call;
  const { name, generateName } = object.metadata;
  const born = bornObject(definition, object, {
    name:
      (name ?? "") === "" && (generateName ?? "") !== ""
        ? generatedName(generateName as string, environment.random)
        : name,
    uid: randomUid((length) => environment.random.bytes(length)),
    now: environment.clock.now(),
  });
  const context = hookContext(environment, call);
  const prepared = (await definition.strategy.prepareForCreate?.(born, context)) ?? born;
  const { strategy } = definition;
  const turn = weight === "light" ? undefined : nextTurn;
  await turn?.();
  const found =
    weight === "long" && strategy.validateLong !== undefined
      ? await strategy.validateLong(prepared, undefined, context, "")
      : (strategy.validate?.(prepared, context) ?? []);
  await turn?.();
  const rules = (await strategy.validateRules?.(prepared, undefined, found, context)) ?? [];
  await turn?.();
  const causes = [...metadataCauses(definition, prepared), ...found, ...rules];
  if (causes.length > 0) {
    throw invalid(definition, prepared.metadata.name ?? "", causes);
  }
  return prepared;
};

/**
 * Creates an object from a decoded body. `managed`: the body comes from server-side apply and carries its managedFields already.
 */
export const createObject = async (
  environment: WriteEnvironment,
  call: WriteCall,
  body: KubeObject,
  options: { readonly managed?: boolean } = {},
): Promise<Served> => {
  const { definition, namespace } = call;
  checkBody(call, body);
  if (definition.closedForCreate !== undefined) {
    throw forbidden(definition, body.metadata.name ?? "", definition.closedForCreate);
  }
  const weight = checkObjectSize(definition.schema, body);
  const isLarge = weight !== "light";
  if (isLarge) {
    await nextTurn();
  }
  const { warn } = call;
  const fresh = withoutRepeatedOwners(newObject(definition, body, namespace), { asSent: true, warn });
  const owned =
    options.managed === true ? fresh : await withManager(environment, call, { updated: fresh, subresource: "" });
  const request = admissionRequest(call, { operation: "CREATE", name: owned.metadata.name ?? "", object: owned });
  const mutated = await mutate(environment.admission, request);
  const again = mutated === owned ? owned : newObject(definition, await normalisedObject(call, mutated), namespace);
  const admitted = withoutRepeatedOwners(again, { asSent: false, warn });
  await guard(environment.admission, { ...request, object: admitted });
  const generated = (admitted.metadata.name ?? "") === "" && (admitted.metadata.generateName ?? "") !== "";
  for (let attempt = 1; ; attempt++) {
    const object = await finish(environment, call, admitted, weight);
    if (isLarge) {
      await nextTurn();
    }
    const name = object.metadata.name as string;
    await approve(environment.admission, { ...request, name, object });
    const record = await toStored(definition, object);
    const written = isLarge && !call.dryRun ? await writeObject(record) : record;
    if (!call.dryRun) {
      checkVersion(body);
    }
    const collection = collectionOf(environment, definition);
    if (collection.get(namespace, name) !== undefined) {
      if (generated && attempt < generateAttempts) {
        continue;
      }
      throw alreadyExists(definition, name);
    }
    if (call.dryRun) {
      return servedObject(object);
    }
    if (definition.strategy.isOutrun?.(object, undefined, hookContext(environment, call)) === true) {
      continue;
    }
    const { change, durable } = collection.create(namespace, name, written);
    await durable;
    if (isLarge) {
      await nextTurn();
    }
    return await serveOne(definition, change.object);
  }
};
