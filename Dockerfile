# Ringbind with its built-in PostgreSQL. Everything that is kept is in /data.

# Any npm will do: Ringbind's own Node comes with its packages.
FROM node:24-trixie-slim AS build
WORKDIR /ringbind
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# A changed package-lock.json would make the build look old at every start, hence --no-save. The icons that are used are in
# the build; the headers of Node are for nobody here.
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-save \
  && rm -rf node_modules/lucide-react node_modules/node-linux-*/include node_modules/node-linux-*/share

FROM debian:trixie-slim
# Node needs libatomic1, which is in no small Debian. poppler-utils draws and reads the pages of PDFs, tesseract reads
# scanned ones.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 poppler-utils \
  tesseract-ocr tesseract-ocr-dan && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /data --no-create-home ringbind \
  && install -d -o ringbind -g ringbind -m 700 /data
COPY --from=build /ringbind /ringbind
WORKDIR /ringbind
ENV PATH=/ringbind/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# Memory that was needed for a moment, for an image above all, is given back.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=262144
USER ringbind
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "src/server.ts"]
