import type { CreateProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { SecondWidget } from "./kinds.ts";

/** A provider in its second release: Widgets are stored in another version. */
export const createProvider: CreateProviderV1 = () =>
  defineProvider({ name: "widgets", kinds: [SecondWidget], register: () => undefined });
