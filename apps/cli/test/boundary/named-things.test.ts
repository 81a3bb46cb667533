import { declaredReferences } from "@capstan/kit/admission";
import { isKind } from "@capstan/schema";
import { expect, it } from "vitest";
import { createProviders, providerNames } from "../../src/modules/providers.ts";
import { nothingOutside } from "../managed-world.ts";
import { spelledMarks } from "./marks.ts";
import { namedThings, type NamedThing } from "./named-things.ts";
import { namingFields, referenceField } from "./naming-fields.ts";

const kinds = (await createProviders(providerNames, nothingOutside)).flatMap((provider) => provider.kinds);
const fields = namingFields(kinds);

/** What no line is about, and which lines are about nothing. */
const difference = (
  things: readonly NamedThing[],
  all: readonly { readonly kind: string; readonly path: string }[],
) => {
  const said = all.map(({ kind, path }) => things.find((thing) => thing.holds(kind, path)));
  return {
    unlisted: all.filter((_, index) => said[index] === undefined).map(({ kind, path }) => `${kind} ${path}`),
    stale: things.filter((thing) => !said.includes(thing)).map(({ line }) => line),
  };
};

it("every field that can name something is listed with what it names and the rule that guards it", () => {
  expect(difference(namedThings("named-things.txt"), fields)).toEqual({ unlisted: [], stale: [] });
});

it("every annotation and label is listed in the same way", () => {
  const marks = spelledMarks().map((path) => ({ kind: "", path }));
  expect(difference(namedThings("named-marks.txt"), marks)).toEqual({ unlisted: [], stale: [] });
});

it("what is said to be held by the rights of whoever writes it is declared as a reference, and the other way round", () => {
  const things = namedThings("named-things.txt");
  const said = fields.filter(({ kind, path }) => things.find(({ holds }) => holds(kind, path))?.guard === "references");
  const place = ({ kind, path }: (typeof fields)[number]) =>
    `${kind} ${path.replaceAll("{}", "[]").replace(/(\{[a-zA-Z,]+\}|\.name|\.namespace)$/, "")}`;
  const declared = kinds.flatMap((kind) => declaredReferences(kind).map(({ path }) => referenceField(kind, path)));
  expect([...new Set(declared)].toSorted()).toEqual([...new Set(said.map(place))].toSorted());
});

it("what users do not write is a subresource of its own", () => {
  const withStatus = kinds.flatMap((kind) =>
    isKind(kind) && kind.schema.properties?.["status"] !== undefined ? [kind] : [],
  );
  expect(withStatus.filter(({ statusSubresource }) => !statusSubresource).map(({ kind }) => kind)).toEqual([]);
});
