import type { CreateProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { Gadget, SecondWidget } from "./kinds.ts";

/** A provider in its third release: there are Gadgets too. */
export const createProvider: CreateProviderV1 = () =>
  defineProvider({ name: "widgets", kinds: [SecondWidget, Gadget], register: () => undefined });
