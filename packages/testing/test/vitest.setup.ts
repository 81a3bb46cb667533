import { poolKeys } from "../src/pooled-keys.ts";

poolKeys();
