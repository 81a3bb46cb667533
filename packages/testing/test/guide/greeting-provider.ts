import type { CreateProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { Greeting, greetingController } from "./greeting-controller.ts";

/** What the command loads. */
export const createProvider: CreateProviderV1 = () =>
  defineProvider({
    name: "greetings",
    kinds: [Greeting],
    register: (host) => host.add(greetingController),
  });
