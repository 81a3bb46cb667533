import { expect, it } from "vitest";
import { mergedConfigs } from "./merge.ts";

const config = (files: readonly object[]) => ({ storage: { files } }) as never;

it("says more of what has the same name, and adds what has another", () => {
  const merged = mergedConfigs(
    config([
      { path: "/a", mode: 1 },
      { path: "/b", mode: 1 },
      { path: "/a", mode: 2 },
    ]),
    config([
      { path: "/a", user: 1 },
      { path: "/c", mode: 3 },
      { path: "/c", user: 3 },
    ]),
  );
  expect(merged).toEqual({
    storage: {
      files: [
        { path: "/a", mode: 1, user: 1 },
        { path: "/b", mode: 1 },
        { path: "/a", mode: 2 },
        { path: "/c", mode: 3, user: 3 },
      ],
    },
  });
});

it("does not compare every file with every other", () => {
  let reads = 0;
  const files = (name: string) =>
    Array.from({ length: 500 }, (_, index) => ({
      get path() {
        reads += 1;
        return `/${name}-${index}`;
      },
    }));
  mergedConfigs(config(files("base")), config(files("more")));
  expect(reads).toBeLessThan(500 * 20);
});
