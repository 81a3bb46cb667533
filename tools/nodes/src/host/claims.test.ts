import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { abandonedClaims, claimFirst, releaseClaim } from "./claims.ts";

const folderOfClaims = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "claims-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

it("gives every name once, until it is released", () => {
  const folder = folderOfClaims();
  const names = ["100", "101"];
  expect([1, 2, 3].map(() => claimFirst(folder, names))).toEqual(["100", "101", undefined]);
  expect(abandonedClaims(folder)).toEqual([]);
  releaseClaim(folder, "100");
  expect(claimFirst(folder, names)).toBe("100");
});

it("finds what processes left that are gone, and no process that has their number now", () => {
  const folder = folderOfClaims();
  symlinkSync("4194305 1", join(folder, "100.owner"));
  symlinkSync(`${process.pid} 1`, join(folder, "101.owner"));
  claimFirst(folder, ["102"]);
  expect(abandonedClaims(folder)).toEqual(["100", "101"]);
});

it("does not mind a folder without an owner, as a removal that was cut short leaves it", () => {
  const folder = folderOfClaims();
  mkdirSync(join(folder, "100"));
  expect(abandonedClaims(folder)).toEqual([]);
  expect(claimFirst(folder, ["100"])).toBe("100");
});
