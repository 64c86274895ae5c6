// Fetches what package-lock.json names, where there is no npm: Debian's npm brings four hundred packages for one download.
const { createHash } = require('node:crypto');
const { execFileSync } = require('node:child_process');
const { mkdirSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { packages } = require('./package-lock.json');

const REGISTRY = 'https://registry.npmjs.org';

async function fetchPackage(place, { version, integrity }) {
    const name = place.replace('node_modules/', '');
    const answer = await fetch(`${REGISTRY}/${name}/-/${name}-${version}.tgz`);
    if (!answer.ok) throw new Error(`${name}: status ${answer.status}`);
    const archive = Buffer.from(await answer.arrayBuffer());
    const digest = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    if (digest !== integrity) throw new Error(`${name}: not what package-lock.json names`);
    const folder = join(__dirname, place), unpacked = `${folder}.tmp`;
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { recursive: true });
    execFileSync('tar', ['-xz', '-C', unpacked, '--strip-components=1'], { input: archive });
    renameSync(unpacked, folder);
}

Promise.all(Object.entries(packages).filter(([place]) => place).map(([place, wanted]) => fetchPackage(place, wanted)))
    .catch((error) => {
        console.error(`fetch: ${error.message}`);
        process.exitCode = 1;
    });
