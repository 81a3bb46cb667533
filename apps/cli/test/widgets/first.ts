import type { CreateProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { FirstWidget } from "./kinds.ts";

/** A provider in the first release. */
export const createProvider: CreateProviderV1 = () =>
  defineProvider({ name: "widgets", kinds: [FirstWidget], register: () => undefined });
