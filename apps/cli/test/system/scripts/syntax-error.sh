#!/bin/bash
echo before
if true; then
  echo "inside"
done
