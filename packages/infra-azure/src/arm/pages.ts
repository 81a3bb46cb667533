import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "./arm-client.ts";
import { azureError } from "./arm-error.ts";

const itemsOf = (body: unknown): readonly unknown[] =>
  isJsonObject(body) && Array.isArray(body["value"]) ? body["value"] : [];

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
  const items: unknown[] = [...itemsOf(first)];
  for (let next = nextOf(first); next !== undefined;) {
    const { body, status } = await client.follow(next, doing, call);
    if (status >= 400) throw azureError("unavailable", `could not ${doing}: a page is missing; it is tried again`);
    items.push(...itemsOf(body));
    next = nextOf(body);
  }
  return items;
};
