#include "boost_enums.hpp"
#include "place_trees.h"

#include <boost/iterator/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cmath>
#include <utility>
#include <vector>

namespace geometry = boost::geometry;

namespace {

using point = geometry::model::point<double, 2, geometry::cs::cartesian>;
using box = geometry::model::box<point>;
using value = std::pair<box, uint32_t>;
using tree = geometry::index::rtree<value, geometry::index::rstar<16>>;

constexpr double radius_of_earth = 6371008.8;
constexpr double radians = M_PI / 180;

box box_around(const place_circle &circle) {
    double angle = circle.radius / radius_of_earth;
    double north = angle / radians;
    double east = std::asin(std::sin(angle) / std::cos(circle.latitude * radians)) / radians;
    return box(point(circle.longitude - east, circle.latitude - north), point(circle.longitude + east, circle.latitude + north));
}

double haversine(place_fix from, double cosine, const place_circle &to) {
    double north = std::sin((to.latitude - from.latitude) * (radians / 2));
    double east = std::sin((to.longitude - from.longitude) * (radians / 2));
    double square = north * north + cosine * std::cos(to.latitude * radians) * east * east;
    return 2 * radius_of_earth * std::asin(std::sqrt(square));
}

} // namespace

struct place_tree {
    std::vector<place_circle> circles;
    tree boxes;

    template <typename Found> void around(place_fix fix, Found found) const {
        double cosine = std::cos(fix.latitude * radians);
        auto look = [&](const value &candidate) {
            const place_circle &circle = circles[candidate.second];
            double distance = haversine(fix, cosine, circle);
            if (distance <= circle.radius) found(candidate.second, distance);
        };
        boxes.query(geometry::index::intersects(point(fix.longitude, fix.latitude)), boost::make_function_output_iterator(look));
    }
};

place_tree *place_tree_pack(const place_circle *circles, size_t count) {
    std::vector<value> values;
    values.reserve(count);
    for (size_t number = 0; number < count; ++number)
        values.emplace_back(box_around(circles[number]), static_cast<uint32_t>(number));
    return new place_tree{std::vector<place_circle>(circles, circles + count), tree(values)};
}

place_tree *place_tree_insert(const place_circle *circles, size_t count) {
    auto *made = new place_tree{std::vector<place_circle>(circles, circles + count), tree()};
    for (size_t number = 0; number < count; ++number)
        made->boxes.insert(value(box_around(circles[number]), static_cast<uint32_t>(number)));
    return made;
}

void place_tree_close(place_tree *tree) { delete tree; }

size_t place_tree_count(const place_tree *tree, const place_fix *fixes, size_t count, double *meters) {
    size_t hits = 0;
    double sum = 0;
    for (size_t number = 0; number < count; ++number)
        tree->around(fixes[number], [&](uint32_t, double distance) {
            hits += 1;
            sum += distance;
        });
    *meters = sum;
    return hits;
}

size_t place_tree_around(const place_tree *tree, place_fix fix, uint32_t *numbers) {
    size_t hits = 0;
    tree->around(fix, [&](uint32_t number, double) { numbers[hits++] = number; });
    return hits;
}
