import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "./arm-client.ts";

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
    const { body } = await client.read(next, doing, call);
    items.push(...itemsOf(body));
    next = nextOf(body);
  }
  return items;
};
