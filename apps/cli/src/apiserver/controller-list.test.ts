import { standardControllers } from "@capstan/apiserver";
import { describe, expect, it } from "vitest";
import { parseControllers } from "./controller-list.ts";

describe("parseControllers", () => {
  it.each([
    ["*", [...standardControllers]],
    ["", []],
    ["namespace", ["namespace"]],
    ["namespace-controller, garbagecollector", ["garbage-collector", "namespace"]],
    ["*,bootstrap-signer", [...standardControllers, "bootstrap-signer"]],
    ["-namespace,*", standardControllers.filter((name) => name !== "namespace")],
    ["-namespace", []],
  ])("%j", (text, expected) => expect(parseControllers(text)).toEqual(expected));

  it.each(["nope", "*,-nope", "constructor"])("%j is refused with the names there are", (text) =>
    expect(parseControllers(text)).toMatch(/there is no controller .*known are garbage-collector, namespace/),
  );
});
