import { type ConditionInput, infraMachineConditions } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { deliveryRecordOf } from "../../delivery/delivery-record.ts";
import { reportRecordOf } from "../../report/report-record.ts";
import { RoleEvent, RoleReason } from "../reasons.ts";

const { dataDeleted, dataUploaded } = infraMachineConditions;

/** The Secrets by which the deletion of what a machine has in stores is retried. */
export const leftoversOf = (object: KubeObject): readonly string[] => [
  ...new Set(
    [deliveryRecordOf(object)?.leftover, reportRecordOf(object)?.leftover].filter((name) => name !== undefined),
  ),
];

/** Returns the conditions about a machine's data in an object store: what was stored, and whether it was deleted. */
export const storedConditions = (object: KubeObject): readonly ConditionInput[] => {
  const record = deliveryRecordOf(object);
  const { checksum, deleted = false, expires, key, shortSeconds, sizeBytes, store } = record ?? {};
  const conditions: ConditionInput[] = [];
  if (key !== undefined && store !== undefined && checksum !== undefined) {
    const short =
      shortSeconds === undefined
        ? ""
        : `, only ${shortSeconds} s, which a slow boot may exceed: increase the lifetime of pointers`;
    const message = `${sizeBytes} bytes, ${checksum}, as ${key} with the credentials of Secret ${store}; the pointer works until ${expires ?? "it is deleted"}${short}`;
    conditions.push({ type: dataUploaded.type, status: "True", reason: RoleReason.dataStored, message });
  }
  const [leftover] = leftoversOf(object);
  if (leftover !== undefined) conditions.push(notDeleted(leftover));
  else if (deleted) conditions.push(isDeleted);
  return conditions;
};

/** Nothing is left in the store that anybody knows of. */
export const isDeleted: ConditionInput = {
  type: dataDeleted.type,
  status: "True",
  reason: RoleEvent.storedDataDeleted,
};

/** The store refused; the machine continues. */
export const notDeletedBecause = (message: string): ConditionInput & { readonly message: string } => ({
  type: dataDeleted.type,
  status: "False",
  reason: RoleEvent.storedDataNotDeleted,
  message,
  severity: "Warning",
});

/** The same, while it is retried. */
export const notDeleted = (leftover: string): ConditionInput =>
  notDeletedBecause(`it may still be in the object store; retrying the deletion, see Secret ${leftover}`);
