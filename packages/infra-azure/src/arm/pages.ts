import { isJsonObject } from "@capstan/schema";
import { azureError } from "./arm-error.ts";
import type { ArmCall, ArmClient } from "./arm-client.ts";

/** Throws `azure.unavailable`: what is no list must not be taken for an empty one, of which nothing exists. */
const itemsOf = (body: unknown, doing: string): readonly unknown[] => {
  const items = isJsonObject(body) ? body["value"] : undefined;
  if (Array.isArray(items) && items.every(isJsonObject)) return items;
  throw azureError("unavailable", `${doing}: the answer is not a list`);
};

const nextOf = (body: unknown): string | undefined => {
  const next = isJsonObject(body) ? body["nextLink"] : undefined;
  return typeof next === "string" && next !== "" ? next : undefined;
};

/** All items of a list whose first page is there. */
export const allPages = async (
  client: ArmClient,
  first: unknown,
  doing: string,
  call: ArmCall,
): Promise<readonly unknown[]> => {
  const items: unknown[] = [...itemsOf(first, doing)];
  for (let next = nextOf(first); next !== undefined;) {
    const { body } = await client.read(next, doing, call);
    items.push(...itemsOf(body, doing));
    next = nextOf(body);
  }
  return items;
};
