-- Links between our documents, as they are in the repository, to the pages of the site. What has no page there, source
-- files for example, is left as plain text.
local source, root = "", ""

local PAGES = { ["README.md"] = "index.html", ["CONTRIBUTING.md"] = "contributing.html", ["CHANGELOG.md"] = "changelog.html",
  ["models/README.md"] = "models.html", ["include/difflns.h"] = "difflns.h", ["CITATION.cff"] = "CITATION.cff", ["LICENSE"] = "LICENSE" }

-- "docs/decisions/a.md" and "../x.md" make "docs/x.md".
local function resolve(from, target)
  local parts = {}
  for part in (from:match("(.*/)") or ""):gmatch("[^/]+") do table.insert(parts, part) end
  for part in target:gmatch("[^/]+") do
    if part == ".." then table.remove(parts) elseif part ~= "." then table.insert(parts, part) end
  end
  return table.concat(parts, "/")
end

local function page_of(path)
  if PAGES[path] then return PAGES[path] end
  local name = path:match("^docs/(.*)%.md$")
  if name then return name .. ".html" end
  return path:match("^docs/([^/]*%.%a+)$") or path:match("^docs/(results/.*)$") -- pictures, job files, tables
end

local function site_address(target)
  if target:match("^%a+:") or target:match("^#") then return target end
  local path, anchor = target:match("^([^#]*)(.*)$")
  local page = page_of(resolve(source, path))
  return page and root .. page .. anchor
end

return {
  { Meta = function(meta)
      source, root = pandoc.utils.stringify(meta.source), pandoc.utils.stringify(meta.root)
    end },
  { Link = function(link)
      local address = site_address(link.target)
      if not address then return link.content end
      link.target = address
      return link
    end,
    Image = function(image)
      image.src = site_address(image.src) or image.src
      return image
    end },
}
