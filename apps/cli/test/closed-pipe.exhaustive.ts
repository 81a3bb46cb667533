import { it } from "vitest";
import { expectEndWithoutReader } from "./closed-pipe.ts";

it.each([
  "up --help",
  "version",
  "completion zsh",
  "up --in-memory -o json",
  "apiserver --in-memory --secure-port 0 --log-level silent",
])("when nobody reads its output, capstan %s ends without a word", expectEndWithoutReader);
