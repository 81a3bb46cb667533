import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linodeRoutes } from "../src/simulator.ts";
import { simulate } from "../src/testing.ts";
import { familyOf, routeOf } from "./tour/routes-seen.ts";
import { tour } from "./tour/tour.ts";
import { answerDifferences } from "./openapi/compare-answer.ts";
import { fieldDifferences, requestDifferences } from "./openapi/compare-request.ts";
import { operationsOf } from "./openapi/document.ts";
import { answerDifferencesKnown, requestDifferencesKnown } from "./openapi/known-differences.ts";

const beside = join(import.meta.dirname, "../../../..");

/** The OpenAPI document of the Linode API v4, YAML or JSON, of a version such as 4.189.0, or the one in `data` of a folder beside the repository. */
const file =
  process.env["LINODE_OPENAPI"] ??
  readdirSync(beside)
    .map((folder) => join(beside, folder, "data/linode-openapi-4.189.0.yaml"))
    .find((path) => existsSync(path)) ??
  "";

if (file === "") process.stdout.write("The OpenAPI document is not compared: LINODE_OPENAPI names no file.\n");

describe.skipIf(file === "")("the OpenAPI document (LINODE_OPENAPI names it)", () => {
  const families = new Map(
    linodeRoutes.map((route) => [`${route.method} ${route.path.replaceAll(/:\w+/g, "*")}`, route]),
  );

  it("has no operation of these groups that the simulator lacks", async () => {
    const all = await operationsOf(file);
    const missing = all.map(({ family }) => family).filter((family) => !families.has(family));
    expect(missing).toEqual([]);
    expect(all.length).toBeGreaterThan(200);
  });

  it("takes what the simulator takes: fields at any depth, limits, values and parameters", async () => {
    const lines = (await operationsOf(file)).flatMap(({ family, query, body }) => {
      const route = families.get(family);
      if (route === undefined) return [];
      return [
        ...fieldDifferences(route.query ?? {}, query, `${family} ?`),
        ...(route.body === undefined
          ? fieldDifferences({}, body?.properties ?? {}, family)
          : requestDifferences(route.body, body ?? {}, family)),
      ];
    });
    const { unknown, stale } = explained(lines, requestDifferencesKnown);
    expect(unknown, unknown.join("\n")).toEqual([]);
    expect(stale).toEqual([]);
  });

  it("has what the simulator answers: fields at any depth, types and values", async () => {
    await using simulation = await simulate();
    const { seen } = await tour(simulation);
    const answers = new Map((await operationsOf(file)).map(({ family, answer }) => [family, answer]));
    const lines = seen.flatMap((each) => {
      const family = familyOf(routeOf(each));
      const schema = each.status === 200 ? answers.get(family) : undefined;
      return schema === undefined ? [] : answerDifferences(each.answer, schema, family);
    });
    const { unknown, stale } = explained([...new Set(lines)], answerDifferencesKnown);
    expect(unknown, unknown.join("\n")).toEqual([]);
    expect(stale).toEqual([]);
  });
});

/** The lines that nothing explains, and what explains nothing any more. */
const explained = (lines: readonly string[], known: readonly (readonly [pattern: RegExp, reason: string])[]) => ({
  unknown: lines.filter((line) => !known.some(([pattern]) => pattern.test(line))),
  stale: known.flatMap(([pattern]) => (lines.some((line) => pattern.test(line)) ? [] : [pattern.source])),
});
