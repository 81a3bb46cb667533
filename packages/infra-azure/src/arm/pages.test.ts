import { expect, it } from "vitest";
import type { ArmClient } from "./arm-client.ts";
import { allPages } from "./pages.ts";

const call = { signal: new AbortController().signal };

/** Answers every further page with one body. */
const answering = (body: unknown) => ({ read: async () => ({ body }) }) as unknown as ArmClient;

it("reads the pages that follow", async () => {
  const first = { value: [{ id: "a" }], nextLink: "https://azure.example/next" };
  const items = await allPages(answering({ value: [{ id: "b" }] }), first, "list sizes", call);
  expect(items).toEqual([{ id: "a" }, { id: "b" }]);
});

it.each([undefined, null, 7, "<html></html>", [], {}, { id: 7 }, { value: {} }, { value: ["a"] }])(
  "takes %j for no list, not for an empty one",
  async (body) => {
    const refused = { code: "azure.unavailable", message: "list sizes: the answer is not a list" };
    await expect(allPages(answering({}), body, "list sizes", call)).rejects.toMatchObject(refused);
    const first = { value: [], nextLink: "https://azure.example/next" };
    await expect(allPages(answering(body), first, "list sizes", call)).rejects.toMatchObject(refused);
  },
);
